import type { Deps } from "#server/app/deps.ts";
import type { BetBook } from "./bet-book.ts";

/** Logged for a round that failed a check. */
export const ROUND_FAILED = "a round failed a check; see round:retry";

/** Settles a drawn round and emits each piece as soon as it is durable. */
export async function settleRound(deps: Pick<Deps, "bus" | "log">, book: BetBook, roundId: number): Promise<void> {
  await book.settle(roundId, (piece) => {
    if ("bettors" in piece) deps.bus.emit("round.counted", { roundId, bettors: piece.bettors });
    else if ("outcomes" in piece) deps.bus.emit("round.credited", { roundId, outcomes: piece.outcomes });
    else if ("settled" in piece) deps.log.info({ roundId, ...piece.settled }, "round settled");
    else deps.log.error({ roundId, failure: piece.failed }, ROUND_FAILED);
  });
}
