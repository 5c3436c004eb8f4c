import { isDatabaseAway, isOutcomeUnknown, isInvalidText } from "#db/away.ts";
import { PicturesAway } from "#server/pictures/away.ts";
import { StorageAway } from "#server/storage/storage.ts";
import { Refusal } from "#shared/refusal.ts";

/**
 * Maps an error to a refusal. A refusal stays itself. An unknown outcome asks for a retry with the same idempotency
 * key, an absent database, storage or process for pictures for a later retry. Anything else is our fault.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isInvalidText(error)) return new Refusal("request.malformed");
  if (isOutcomeUnknown(error)) return new Refusal("outcome.unknown", { retryAfterS: 1 });
  const isAway = isDatabaseAway(error) || error instanceof StorageAway || error instanceof PicturesAway;
  return isAway ? new Refusal("server.away", { retryAfterS: 1 }) : new Refusal("server.fault");
}
