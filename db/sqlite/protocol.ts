import { codeOf, isOutcomeUnknown, OutcomeUnknown } from "#db/away.ts";

/** What the writer thread is started with, beside its clock. */
export interface TakeOver {
  file: string;
  /** Somebody read damage: the whole file is checked first. */
  isDoubted: boolean;
}

/** What the main thread asks of the writer thread, and what it hears back. */
export type Request =
  | { id: number; ask: "batch"; name: string; input: unknown }
  | { id: number; ask: "job"; name: string; input: unknown }
  | { id: number; ask: "begin" }
  | { id: number; ask: "run"; sql: string; params: unknown[]; method: Method }
  | { id: number; ask: "commit" | "rollback" }
  | { id: number; ask: "probe"; isDoubted: boolean }
  | { id: number; ask: "close" };

export type Method = "run" | "all" | "values" | "get";

export type Response =
  | { id: number; answer: unknown }
  | { id: number; piece: unknown }
  | { id: number; error: PortableError }
  /** The file is open and was written. */
  | { ready: true }
  /** A failure that a piece of work did not throw, since a part of it was committed. */
  | { failed: PortableError }
  /** The disk failed: this thread's connection is closed, and what it was asked and has not answered is not done. */
  | { ended: PortableError };

/** How long a transaction may hold the writer. */
export const TRANSACTION_LIMIT_MS = 250;
/** The error's code once that time is over; the transaction has been rolled back whole. */
export const TRANSACTION_TIMEOUT = "TRANSACTION_TIMEOUT";

/** What of an error crosses to another thread: of a failed commit, what it failed with. */
export interface PortableError {
  message: string;
  code: string | undefined;
  /** It may have been committed. */
  isUnknown: boolean;
}

export function portable(error: unknown): PortableError {
  const { message } = (error instanceof OutcomeUnknown ? error.cause : error) as Error;
  return { message, code: codeOf(error), isUnknown: isOutcomeUnknown(error) };
}

/** The same error on the other side. */
export function received({ message, code, isUnknown }: PortableError): Error {
  const error = Object.assign(new Error(message), { code });
  return isUnknown ? new OutcomeUnknown({ cause: error }) : error;
}
