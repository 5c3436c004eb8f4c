import type { Deps } from "#server/deps.ts";
import type { BetBook } from "./bet-book.ts";

/** Settles a drawn round and tells each part of it as soon as it is durable. */
export async function settleRound(deps: Pick<Deps, "bus" | "log">, book: BetBook, roundId: number): Promise<void> {
  await book.settle(roundId, (piece) => {
    if ("bettors" in piece) deps.bus.emit("round.counted", { roundId, bettors: piece.bettors });
    else if ("outcomes" in piece) deps.bus.emit("round.credited", { roundId, outcomes: piece.outcomes });
    else deps.log.info({ roundId, ...piece.settled }, "round settled");
  });
}
