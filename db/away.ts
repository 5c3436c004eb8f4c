/** PostgreSQL's classes of errors that say nothing about what was asked: no connection, no resources, going down. */
const AWAY = /^(08|53|57P)/;
/** Node's names for a line that is not there. */
const NO_LINE = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);
/** What pg says in words alone. */
const SAID =
  /Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Query read timeout|timeout expired|Cannot use a pool after/;
/**
 * 57014: a statement took too long, 55P03: a lock did, 25P03: a transaction stood still, 25006: it is a copy that only
 * reads, 40…: too many at the same rows.
 */
const BUSY = new Set(["57014", "55P03", "25P03", "25006", "40001", "40P01"]);

/** Said of a database that gave no answer, without asking it once more. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";

  constructor(options?: ErrorOptions) {
    super("the database does not answer", options);
  }
}

/** Whether something failed because the database cannot be reached or does not come round now, rather than by a fault of ours. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseAway) return true;
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && (AWAY.test(code) || NO_LINE.has(code) || BUSY.has(code))) return true;
    if (SAID.test(at.message)) return true;
  }
  return false;
}

/** PostgreSQL's 22021: a text with a zero byte, which no row can hold; SQLite just finds no such row. */
export function isUnheardOf(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ((at as { code?: unknown }).code === "22021") return true;
  return false;
}
