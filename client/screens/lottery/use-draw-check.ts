import { useQuery } from "@tanstack/react-query";
import { useEndpoint } from "#client/api/queries.ts";
import { MissingChunk } from "#client/app/missing-chunk.ts";
import { recomputeDraw } from "#client/machines/recompute-draw.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import type { DrawnRound } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { DrawPick } from "./use-draw-pick.ts";

export type FairRound = ReplyOf<typeof fairRound>;

/** Milliseconds between fetches of a round that is not drawn yet. */
const ASK_AGAIN_MS = 3_000;

const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Fetches the public data of a draw and verifies it on this device. */
export function useDrawCheck(pick: DrawPick | null) {
  const enabled = pick !== null;
  const { key = "", expect = "" } = pick ?? {};
  const round = useEndpoint(
    fairRound,
    { key, expect },
    { enabled, refetchInterval: ({ state }) => (state.data?.seed === null ? ASK_AGAIN_MS : false) },
  );
  // A page older than the game kind cannot verify it, and must not report a mismatch.
  if (round.data && !GAME_KINDS.has(round.data.kind)) throw new MissingChunk("the rules of a newer kind of game");
  const anchors = useEndpoint(fairAnchors, { key }, { enabled });
  const drawn = round.data && anchors.data ? drawnRound(round.data, anchors.data) : null;
  const check = useQuery({
    queryKey: ["recomputed", drawn],
    queryFn: () => recomputeDraw(drawn!, breathe),
    enabled: drawn !== null,
    staleTime: Infinity,
  });
  return {
    round: round.data,
    drawn,
    recomputed: drawn ? check.data : undefined,
    error: round.data && anchors.data ? null : (round.error ?? anchors.error),
    retry: () => void (round.error ? round.refetch() : anchors.refetch()),
  };
}

/** A drawn round with the anchor announced for its day; null until it is drawn. */
function drawnRound(round: FairRound, anchors: ReplyOf<typeof fairAnchors>): DrawnRound | null {
  const { key, kind, expect, seed, opencode, index, commit, beacon } = round;
  if (seed === null || opencode === null) return null;
  const anchor = anchors.find(({ day }) => day === expect.slice(0, 8))?.anchor ?? "";
  return { gameKey: key, kind, round: expect, index, commit, seed, beacon, dice: opencode, anchor };
}
