import { useEndpoint } from "#client/api/queries.ts";
import { clockText } from "#client/components/CountdownRing.tsx";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useText } from "#client/text/use-text.ts";
import { lotteryInfo, type Lottery } from "#shared/contract/lottery.ts";
import type { OpenRound } from "./use-open-rounds.ts";

/** The game of an open round, where it is known, and how far the round is. */
export function useOpenRound({ key, expect, isSettled }: OpenRound): { game: Lottery | undefined; state: string } {
  const text = useText();
  // A game that is paused is on no list of those that run.
  const { data: game } = useEndpoint(lotteryInfo, { key }, { staleTime: 0 });
  const isOpen = game?.state === "open" && game.next_expect === expect;
  const seconds = useCountdown(isOpen && !isSettled ? game.close_ms : null);
  const state = isSettled ? text("push.see") : seconds > 0 ? clockText(seconds) : text("game.drawing");
  return { game, state: game || isSettled ? state : "" };
}
