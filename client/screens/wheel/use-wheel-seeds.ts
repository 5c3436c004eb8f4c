import { useEffect } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { untilNextDay } from "#client/api/server-time.ts";
import { wheelSeeds } from "#shared/contract/wheel.ts";
import { keepNext } from "./kept-pairs.ts";
import { useLogOrigin } from "./use-log-origin.ts";

/** The member's seed pairs, spins left and the price of another spin. The device keeps the next commit as it is shown. */
export function useWheelSeeds() {
  const seeds = useEndpoint(wheelSeeds, {}, { refetchInterval: untilNextDay });
  const { data } = seeds;
  const isLogKnown = useLogOrigin(data);
  useEffect(() => {
    if (data && isLogKnown) keepNext(data);
  }, [data, isLogKnown]);
  return seeds;
}
