import type { AwayReason } from "#shared/contract/events.ts";

/** PostgreSQL's classes of errors that say nothing about what was asked: no connection, no resources, going down, no disk. */
const UNAVAILABLE = /^(08|53|57P|58)/;
/** Node's names for a line that is not there. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);
/** What pg says in words alone. */
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Query read timeout|timeout expired|Cannot use a pool after/;
/**
 * 57014: a statement took too long, 55P03: a lock did, 25P03: a transaction stood still, 25006: it is a copy that only
 * reads, 40…: too many at the same rows.
 */
const BUSY = new Set(["57014", "55P03", "25P03", "25006", "40001", "40P01"]);

/** What SQLite fails with when it is the disk, or another process, that stands in the way. A read error says "malformed". */
const FILE_ERRORS = /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|CORRUPT|NOTADB)/;

const MESSAGES: Record<AwayReason, string> = {
  full: "the database cannot be written: its disk is full",
  readonly: "the database cannot be written: it is read-only",
  failing: "the database cannot be written: its disk fails",
  unreachable: "the database does not answer",
};

/** The database does not do this now, and nothing of it was done. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
  readonly reason: AwayReason;

  constructor(reason: AwayReason = "unreachable", options?: ErrorOptions) {
    super(MESSAGES[reason], options);
    this.reason = reason;
  }
}

/** A commit failed, or its answer never came: it may be durable all the same. Only the same key, asked again, tells. */
export class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";

  constructor(options?: ErrorOptions) {
    super("nobody knows whether this was committed", options);
  }
}

/** What an error is, or was caused by, the outermost first. */
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

/** Whether something failed because the database cannot be reached or used now, rather than by a fault of ours. */
export function isDatabaseAway(error: unknown): boolean {
  for (const at of chainOf(error)) {
    if (at instanceof DatabaseAway || at instanceof OutcomeUnknown) return true;
    const { code } = at;
    if (typeof code === "string" && [UNAVAILABLE, FILE_ERRORS].some((known) => known.test(code))) return true;
    if (typeof code === "string" && (NO_CONNECTION.has(code) || BUSY.has(code))) return true;
    if (CONNECTION_MESSAGES.test(at.message)) return true;
  }
  return false;
}

/** PostgreSQL's 22021: a text with a zero byte, which no row can hold; SQLite just finds no such row. */
export function isInvalidText(error: unknown): boolean {
  for (const { code } of chainOf(error)) if (code === "22021") return true;
  return false;
}
