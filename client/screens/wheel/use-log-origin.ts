import { useQuery } from "@tanstack/react-query";
import { keepLog, type Seeds } from "./kept-pairs.ts";

/**
 * Whether it is known, for this answer, which log the house has: pairs are compared with those of that log alone. A house
 * that does not say is taken for the one before. A browser without workers knows no log, and compares with all.
 */
export function useLogOrigin(seeds: Seeds | undefined): boolean {
  const isWatched = typeof Worker !== "undefined";
  const { isFetched } = useQuery({
    queryKey: ["watch", "log", seeds?.member, seeds?.number, seeds?.commit, seeds?.next_number, seeds?.next_commit],
    queryFn: async () => {
      const { request, whenWatching } = await import("#client/watch/watch.ts");
      await whenWatching;
      const origin = await request("log", {});
      if (origin !== null) keepLog(origin);
      return origin;
    },
    enabled: isWatched && seeds !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  return !isWatched || isFetched;
}
