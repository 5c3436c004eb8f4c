import { useQuery } from "@tanstack/react-query";
import { useEndpoint } from "#client/api/queries.ts";
import { fetchChunk, MissingChunk } from "#client/app/missing-chunk.ts";
import { recomputeDraw } from "#client/machines/recompute-draw.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { fairAnchors, fairPauses, fairRound } from "#shared/contract/fair.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { namedBeacon, NOTHING_SIGNED, QUICKNET, type BeaconCheck } from "#shared/lottery/beacon.ts";
import type { ChainDraw, DrawnRound } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { isPauseTold } from "#shared/lottery/pauses.ts";
import type { AnchorAge } from "#client/watch/messages.ts";
import { request, whenWatching } from "#client/watch/watch.ts";
import type { DrawPick } from "./use-draw-pick.ts";

export type FairRound = ReplyOf<typeof fairRound>;

/** Milliseconds between fetches of a round that is not drawn yet. */
const ASK_AGAIN_MS = 3_000;

const isToCome = (round: FairRound | undefined) => round?.seed === null && round.gap === null;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Fetches the public data of a draw, or of a round in a gap, and verifies it on this device. */
export function useDrawCheck(pick: DrawPick | null) {
  const enabled = pick !== null;
  const { key = "", expect = "" } = pick ?? {};
  const round = useEndpoint(
    fairRound,
    { key, expect },
    { enabled, refetchInterval: ({ state }) => (isToCome(state.data) ? ASK_AGAIN_MS : false) },
  );
  // A page older than the game kind cannot verify it, and must not report a mismatch.
  if (round.data && !GAME_KINDS.has(round.data.kind)) throw new MissingChunk("the rules of a newer kind of game");
  const anchors = useEndpoint(fairAnchors, { key }, { enabled });
  const known = round.data && anchors.data ? chainDraw(round.data, anchors.data) : null;
  const opening = useOpening(known && !round.data?.gap ? known : null);
  const drawn = known && round.data && !round.data.gap ? { ...known, odds: round.data.odds, opening } : null;
  const subject: ChainDraw | DrawnRound | null = drawn ?? known;
  const check = useQuery({
    queryKey: ["recomputed", subject],
    queryFn: async () => recomputeDraw(subject!, pause, await checkFor(subject!)),
    enabled: subject !== null,
    throwOnError: (error) => error instanceof MissingChunk,
    staleTime: Infinity,
  });
  return {
    round: round.data,
    /** Null for a round that is not drawn. */
    drawn,
    /** What a round in a gap would have drawn; null for any other, and until that is public. */
    missed: round.data?.gap ? known : null,
    isPauseTold: usePauseTold(round.data),
    age: useAnchorAge(known),
    /** Whether the log proves what the round opened with. Undefined until that is known. */
    isOpeningProven: opening === undefined ? undefined : opening !== null,
    recomputed: subject ? check.data : undefined,
    error: round.data && anchors.data ? null : (round.error ?? anchors.error),
    retry: () => void (round.error ? round.refetch() : anchors.refetch()),
  };
}

/** Lets the worker check the signature of a round that has a beacon. Without a worker the page fetches what checks it. */
async function checkFor({ rule, signature }: ChainDraw): Promise<BeaconCheck> {
  if (namedBeacon(rule) === null) return NOTHING_SIGNED;
  try {
    const isGenuine = await request("beacon", { rule, signature });
    return { chains: [QUICKNET], isSigned: () => isGenuine };
  } catch {
    return (await fetchChunk(() => import("#shared/lottery/beacon-signature.ts"))).QUICKNET_BEACONS;
  }
}

/** How long the log had the anchor before its day, as the worker finds it there. Undefined until that is known. */
function useAnchorAge(known: ChainDraw | null): AnchorAge | undefined {
  const { gameKey: game = "", round = "", anchor = "" } = known ?? {};
  const day = round.slice(0, 8);
  const { data } = useQuery({
    queryKey: ["watch", "anchor", game, day, anchor],
    queryFn: async () => {
      await whenWatching;
      return (await request("anchor", { game, day, anchor })) ?? "unproved";
    },
    enabled: known !== null,
  });
  return data;
}

/** What the log proves that a round opened with, as the worker reads it there. Undefined until that is known. */
function useOpening(known: ChainDraw | null): Leaf<"open"> | null | undefined {
  const { gameKey: game = "", round = "" } = known ?? {};
  const { data, isError } = useQuery({
    queryKey: ["watch", "opening", game, round],
    queryFn: async () => {
      await whenWatching;
      return request("opening", { game, round });
    },
    enabled: known !== null,
    refetchInterval: ({ state }) => (state.data === null ? ASK_AGAIN_MS : false),
  });
  return isError ? null : data;
}

/** Whether the pause that a gap names was announced in time; undefined where none is named, and until that is known. */
function usePauseTold(round: FairRound | undefined): boolean | undefined {
  const { key = "", expect = "" } = round ?? {};
  const enabled = round?.gap?.reason === "paused";
  const pauses = useEndpoint(fairPauses, { key }, { enabled });
  const game = useEndpoint(lotteryInfo, { key }, { enabled });
  if (!enabled || !pauses.data || !game.data) return undefined;
  return isPauseTold({ periodS: game.data.period, closeS: 0 }, pauses.data, expect);
}

/** A draw with the anchor announced for its day; null until its seed is public. */
function chainDraw(round: FairRound, anchors: ReplyOf<typeof fairAnchors>): ChainDraw | null {
  const { key, kind, expect, seed, index, commit, rule, beacon, beacon_signature: signature, closes } = round;
  const dice = round.gap ? round.gap.opencode : round.opencode;
  if (seed === null || commit === null || dice === null) return null;
  const anchor = anchors.find(({ day }) => day === expect.slice(0, 8))?.anchor ?? "";
  const place = { gameKey: key, kind, round: expect, index, closes, due: round.due };
  return { ...place, commit, seed, rule, beacon, signature, dice, anchor };
}
