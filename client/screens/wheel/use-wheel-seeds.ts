import { useEffect } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { serverTime } from "#client/api/server-time.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { DAY_MS, SECOND_MS } from "#shared/time.ts";
import { keepNext } from "./kept-pairs.ts";

/** When free spins return, by the server's clock: at the next UTC day. Null until that clock is known. */
export function nextFreeMs(): number | null {
  const now = serverTime.now();
  return now === null ? null : (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/** Refetches the day's spins just after UTC midnight. */
function untilNextDay(): number | false {
  const [now, next] = [serverTime.now(), nextFreeMs()];
  return now !== null && next !== null && next - now + SECOND_MS;
}

/** The member's seed pairs, spins left and the price of another spin. The device keeps the next commit as it is shown. */
export function useWheelSeeds() {
  const seeds = useEndpoint(wheelSeeds, {}, { refetchInterval: untilNextDay });
  const { data } = seeds;
  useEffect(() => {
    if (data) keepNext(data);
  }, [data]);
  return seeds;
}
