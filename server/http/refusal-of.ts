import { isDatabaseAway, isUnheardOf } from "#db/away.ts";
import { Refusal } from "#shared/refusal.ts";

/** What somebody is told of a failure: the no that it was, to come again while the database is away, or our fault. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isUnheardOf(error)) return new Refusal("request.malformed");
  return isDatabaseAway(error) ? new Refusal("server.away", { retryAfterS: 1 }) : new Refusal("server.fault");
}
