import { useQuery } from "@tanstack/react-query";
import type { SignedSpins } from "#client/watch/messages.ts";
import { readLog, type Seeds } from "./kept-pairs.ts";
import { useLogOrigin } from "./use-log-origin.ts";

const AGAIN_MS = 10_000;

/** A watcher that cannot answer knows of no spin. */
const UNREAD: SignedSpins = { spins: [], isWhole: false };

/**
 * What the house signed about the spins of the pair whose seed is public. Undefined until that was asked. Null in a browser
 * without workers, which reads none of it.
 */
export function useSignedSpins(seeds: Seeds): SignedSpins | null | undefined {
  const { member, previous } = seeds;
  const isLogKnown = useLogOrigin(seeds);
  const isWatched = typeof Worker !== "undefined";
  const { data, isError } = useQuery({
    // After a restore the same pair may have lost spins, and the lines of the log before still have them.
    queryKey: ["watch", "spins", readLog(), member, previous?.number, previous?.commit],
    queryFn: async () => {
      const { request, whenWatching } = await import("#client/watch/watch.ts");
      await whenWatching;
      return request("spins", { member, pair: previous!.number });
    },
    enabled: isWatched && isLogKnown && previous !== null,
    refetchInterval: ({ state }) => (state.data?.isWhole ? false : AGAIN_MS),
    staleTime: Infinity,
    retry: false,
  });
  if (!isWatched) return null;
  return data ?? (isError ? UNREAD : undefined);
}
