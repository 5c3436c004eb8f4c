import { isDatabaseAway, isOutcomeUnknown, isInvalidText } from "#db/away.ts";
import { Refusal } from "#shared/refusal.ts";

/**
 * What somebody is told of a failure: the no that it was, to ask again with the same key where nobody knows what came of
 * it, to come again while the database is away, or our fault.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isInvalidText(error)) return new Refusal("request.malformed");
  if (isOutcomeUnknown(error)) return new Refusal("outcome.unknown", { retryAfterS: 1 });
  return isDatabaseAway(error) ? new Refusal("server.away", { retryAfterS: 1 }) : new Refusal("server.fault");
}
