import { codeOf, isOutcomeUnknown, OutcomeUnknown } from "#db/away.ts";
import type { ClockSource } from "#shared/time.ts";

/** What the writer thread is started with. */
export interface WriterData {
  file: string;
  /** A read found damage: the whole file is checked first. */
  isDoubted: boolean;
  clock: ClockSource;
}

/** The main thread's end of a writer thread: a `Worker`, or what stands for one. */
export interface WriterHandle {
  postMessage(request: Request): void;
  on(event: "message", listener: (response: Response) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  terminate(): Promise<unknown>;
}

export type StartWriter = (data: WriterData) => WriterHandle;

/** What the main thread sends to the writer thread. */
export type Request =
  | { id: number; ask: "batch"; name: string; input: unknown }
  | { id: number; ask: "job"; name: string; input: unknown }
  | { id: number; ask: "begin"; limitMs: number }
  | { id: number; ask: "run" | "commit"; statements: Statement[] }
  | { id: number; ask: "rollback" }
  | { id: number; ask: "probe"; isDoubted: boolean }
  | { id: number; ask: "close" };

/** A statement of a transaction. The answer to `run` has the rows of each. */
export interface Statement {
  sql: string;
  params: unknown[];
  /** `run` returns no rows. */
  method: "run" | "all" | "values" | "get";
}

export type Response =
  | { id: number; answer: unknown }
  | { id: number; piece: unknown }
  | { id: number; error: PortableError }
  /** The file is open, and a first write was committed. */
  | { ready: true }
  /** A failure that a batch did not throw, because a part of it is committed. */
  | { failed: PortableError }
  /** The disk failed. The thread has closed its connection, and requests without a response are not done. */
  | { ended: PortableError };

/** How long a transaction may occupy the writer at its first try. */
export const TRANSACTION_LIMIT_MS = 250;
/** The same for one that fills a database before anybody is served. */
export const SETUP_LIMIT_MS = 30_000;
/** The error code after that time. The transaction has been rolled back. */
export const TRANSACTION_TIMEOUT = "TRANSACTION_TIMEOUT";

/** An error on its way to another thread: for an unknown outcome, its cause. */
export interface PortableError {
  message: string;
  code: string | undefined;
  /** Whether it may have been committed. */
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
