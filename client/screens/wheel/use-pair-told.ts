import { useQuery } from "@tanstack/react-query";
import type { Prize } from "#shared/contract/wheel.ts";
import { tableHash } from "#shared/wheel.ts";
import type { Seeds } from "./kept-pairs.ts";
import { useLogOrigin } from "./use-log-origin.ts";

const AGAIN_MS = 1_500;

/** Whether words may be made, and whether it is known that they may not yet. */
interface Telling {
  isTold: boolean;
  isUntold: boolean;
  /** It is the table of prizes that is not told. */
  isTableUntold: boolean;
}

/**
 * Words may be made for the next pair once its commit, and the table of the wheel that is shown, stand in a head of the log
 * that this device keeps. A browser without workers keeps nothing, and goes without.
 */
export function usePairTold(seeds: Seeds | undefined, wheel: readonly Prize[] | undefined): Telling {
  const { member, next_number: number, next_commit: commit } = seeds ?? { member: "", next_number: 0, next_commit: "" };
  const table = wheel && tableHash(wheel);
  const isLogKnown = useLogOrigin(seeds);
  const isWatched = typeof Worker !== "undefined";
  const { data } = useQuery({
    queryKey: ["watch", "pair", member, number, commit, table],
    queryFn: async () => {
      const { request, whenWatching } = await import("#client/watch/watch.ts");
      await whenWatching;
      return request("pair", { member, number, commit, table: table! });
    },
    enabled: isWatched && seeds !== undefined && table !== undefined,
    refetchInterval: ({ state }) => (state.data === "told" ? false : AGAIN_MS),
    staleTime: Infinity,
  });
  const isTableUntold = data === "noTable";
  return {
    isTold: isLogKnown && (!isWatched || data === "told"),
    isUntold: data !== undefined && data !== "told" && !isTableUntold,
    isTableUntold,
  };
}
