/** What the main thread asks of the writer thread, and what it hears back. */
export type Request =
  | { id: number; ask: "turn"; name: string; input: unknown }
  | { id: number; ask: "job"; name: string; input: unknown }
  | { id: number; ask: "begin" }
  | { id: number; ask: "run"; sql: string; params: unknown[]; method: Method }
  | { id: number; ask: "commit" | "rollback" }
  | { id: number; ask: "close" };

export type Method = "run" | "all" | "values" | "get";

export type Response =
  | { id: number; answer: unknown }
  | { id: number; piece: unknown }
  | { id: number; error: { message: string; code: string | undefined } };

/** How long a transaction may hold the writer. */
export const LEASE_MS = 250;
/** The error's code once that time is over; the transaction has been rolled back whole. */
export const LEASE_OVER = "LEASE_OVER";

/** What of an error crosses to another thread. */
export function portable(error: unknown): { message: string; code: string | undefined } {
  const { message, code } = error as { message: string; code?: string };
  return { message, code };
}
