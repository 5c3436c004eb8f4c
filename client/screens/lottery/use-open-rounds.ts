import { useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import type { OwnRound } from "#client/machines/own-round.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import { ownRounds } from "#shared/contract/lottery.ts";

/** The member's stakes on the rounds of all games that wait. Every screen shares one request, and pushes keep its answer current. */
export function useWaitingRounds() {
  const isMember = useIsMember();
  return useEndpoint(ownRounds, {}, { enabled: isMember, staleTime: Infinity });
}

/** A round with the member's stakes that waits, or that was settled while its screen was open. */
export interface OpenRound extends OwnRound {
  isSettled: boolean;
}

const NONE: readonly OwnRound[] = [];
const isSame = (one: OwnRound, other: OwnRound) => one.key === other.key && one.expect === other.expect;

/**
 * The rounds that wait for their draw, and those that waited when the screen opened: each keeps its place there. Undefined
 * until they are known.
 */
export function useOpenRounds(): readonly OpenRound[] | undefined {
  const { data, isError, isStale, isFetching } = useWaitingRounds();
  const [seen, see] = useState<readonly OwnRound[]>();
  // An answer from before the last bet lacks it, and what comes late would move what is there.
  const isOutdated = seen === undefined && isStale && isFetching;
  const known = isOutdated ? undefined : (data ?? (isError ? NONE : undefined));
  const waiting = known?.filter(({ win }) => win === null);
  if (!waiting) return undefined;
  const before = seen ?? NONE;
  const all = [...before, ...waiting.filter((own) => !before.some((one) => isSame(one, own)))];
  if (seen === undefined || all.length > before.length) see(all);
  return all.map((own) => ({ ...own, isSettled: !waiting.some((one) => isSame(one, own)) }));
}
