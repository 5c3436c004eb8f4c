import type { AwayReason } from "#shared/contract/events.ts";

/** PostgreSQL's error classes for trouble of its own: no connection, no resources, shutdown, no disk. */
const UNAVAILABLE = /^(08|53|57P|58)/;
/** Node's codes for a connection that failed; the last two have no file handle left for one. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENFILE",
]);
/** Failures that pg reports by a message without a code. */
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Query read timeout|timeout expired|Cannot use a pool after/;
/**
 * 57014: a statement timed out, 55P03: a lock timed out, 25P03: a transaction was idle too long, 25006: the server is a
 * read-only replica, 40…: a conflict or a deadlock. The last is our own of SQLite: a transaction took too long and was
 * rolled back.
 */
const BUSY = new Set(["57014", "55P03", "25P03", "25006", "40001", "40P01", "TRANSACTION_TIMEOUT"]);

/** SQLite's codes for a failing disk or a lock of another process. A read error may say "malformed". */
const FILE_ERRORS = /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|CORRUPT|NOTADB)/;

const MESSAGES: Record<AwayReason, string> = {
  full: "the database cannot be written: its disk is full",
  readonly: "the database cannot be written: it is read-only",
  failing: "the database cannot be written: its disk fails",
  unreachable: "the database does not answer",
  lost: "another database answers, and nobody has said what was lost",
};

/** The database cannot do this now. Nothing was done. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
  readonly reason: AwayReason;

  constructor(reason: AwayReason = "unreachable", options?: ErrorOptions) {
    super(MESSAGES[reason], options);
    this.reason = reason;
  }
}

/** A commit failed, or its answer got lost. It may be durable: only a retry with the same idempotency key finds out. */
export class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";

  constructor(options?: ErrorOptions) {
    super("it is unknown whether this was committed", options);
  }
}

/** An error and its chain of causes, outermost first. */
function* chainOf(error: unknown): Generator<Error & { code?: unknown }> {
  for (let at = error; at instanceof Error; at = at.cause) yield at;
}

/** The first code in an error's chain of causes: PostgreSQL's, SQLite's or Node's. */
export function codeOf(error: unknown): string | undefined {
  for (const { code } of chainOf(error)) if (typeof code === "string") return code;
  return undefined;
}

export function isOutcomeUnknown(error: unknown): boolean {
  for (const at of chainOf(error)) if (at instanceof OutcomeUnknown) return true;
  return false;
}

/** Whether the database rolled back what took too long, or met another's work: less at once may succeed. */
export function isBusy(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return false;
  for (const { code } of chainOf(error)) if (typeof code === "string" && BUSY.has(code)) return true;
  return false;
}

/**
 * Whether the database cannot be reached or used now. Any other failure is a fault of ours, and so are several failures
 * of which one is.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isDatabaseAway)) return true;
  for (const at of chainOf(error)) {
    if (at instanceof DatabaseAway || at instanceof OutcomeUnknown) return true;
    const { code } = at;
    if (typeof code === "string" && [UNAVAILABLE, FILE_ERRORS].some((known) => known.test(code))) return true;
    if (typeof code === "string" && (NO_CONNECTION.has(code) || BUSY.has(code))) return true;
    if (CONNECTION_MESSAGES.test(at.message)) return true;
  }
  return false;
}

/** PostgreSQL's 22021: a text with a zero byte, which no row can hold. SQLite just finds no row. */
export function isInvalidText(error: unknown): boolean {
  for (const { code } of chainOf(error)) if (code === "22021") return true;
  return false;
}
