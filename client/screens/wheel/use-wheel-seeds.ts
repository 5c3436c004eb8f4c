import { useEndpoint } from "#client/api/queries.ts";
import { serverTime } from "#client/api/server-time.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { DAY_MS, SECOND_MS } from "#shared/time.ts";

export type Seeds = ReplyOf<typeof wheelSeeds>;

/** When free spins come again, by the server's clock: with the next UTC day. Null while that clock is not known. */
export function nextFreeMs(): number | null {
  const now = serverTime.now();
  return now === null ? null : (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/** Just after midnight the spins of the day are asked for anew. */
function untilNextDay(): number | false {
  const [now, next] = [serverTime.now(), nextFreeMs()];
  return now !== null && next !== null && next - now + SECOND_MS;
}

/** A member's seed pairs, their spins left and what another costs. */
export const useWheelSeeds = () => useEndpoint(wheelSeeds, {}, { refetchInterval: untilNextDay });
