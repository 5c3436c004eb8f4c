/** An error as it is logged. */
export interface ErrorRecord {
  type: string;
  message: string;
  /** Where it was thrown, without the message. */
  stack: string;
  code?: string | number;
  cause?: ErrorRecord;
  errors?: ErrorRecord[];
}

/** Causes and parts deeper than this are left out: nothing nests so deep but a circle. */
const DEEPEST = 8;

/**
 * What of an error may stand in a log. Rows that a statement was to write do not: drizzle's message ends with its
 * parameters, and PostgreSQL quotes values in `detail` and after a colon. Only named fields are copied.
 */
export function errorRecord(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: "not an error", stack: "" };
  const { name, code, cause } = error as Error & { code?: unknown };
  const record: ErrorRecord = { type: name, message: messageOf(error), stack: framesOf(error) };
  if (typeof code === "string" || typeof code === "number") record.code = code;
  if (depth === DEEPEST) return record;
  if (cause !== undefined) record.cause = errorRecord(cause, depth + 1);
  if (error instanceof AggregateError) record.errors = error.errors.map((one) => errorRecord(one, depth + 1));
  return record;
}

function messageOf(error: Error): string {
  const { query, severity } = error as Error & { query?: unknown; severity?: unknown };
  if (typeof query === "string") return `Failed query: ${query}`;
  return severity === undefined ? error.message : error.message.replace(/: ".*"$/s, "");
}

/** The stack begins with the message, whose lines may look like frames. */
function framesOf({ stack = "", message }: Error): string {
  const begin = stack.indexOf(message);
  const frames = begin < 0 ? "" : stack.slice(begin + message.length);
  return (frames.match(/^ {4}at .*$/gm) ?? []).join("\n");
}
