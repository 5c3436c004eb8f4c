import type { Deps } from "#server/app/deps.ts";
import { and, eq, isNull } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import { isBeaconGenuine } from "#shared/lottery/beacon.ts";
import { FALSE_BEACON } from "./settle.ts";
import type { BetBook } from "./bet-book.ts";

/** Logged for a round that failed a check. */
export const ROUND_FAILED = "a round failed a check; see round:retry";

/**
 * Whether a drawn round may be settled: checks its beacon, signature included. A false one fails the round: no result is
 * paid that somebody wrote into the database. A round that is settled already may be indexed.
 */
export async function mayBeSettled(
  deps: Pick<Deps, "db" | "clock" | "announce" | "beacons" | "log">,
  roundId: number,
): Promise<boolean> {
  const {
    beaconRule: rule,
    beacon,
    beaconSignature: signature,
    closesAt: closes,
    drawsAt: due,
    gameId,
    refundedAt,
    settledAt,
  } = rounds;
  const columns = { rule, beacon, signature, closes, due, gameId, refundedAt, settledAt };
  const [round] = await deps.db.read.select(columns).from(rounds).where(eq(rounds.id, roundId));
  // The audit names a beacon that was changed after the settlement.
  if (!round || round.settledAt !== null || round.refundedAt !== null) return true;
  if (isBeaconGenuine(round, deps.beacons)) return true;
  await deps.db.transact(async (tx) => {
    const isUnpaid = and(eq(rounds.id, roundId), isNull(rounds.failedAt), isNull(rounds.settledAt));
    const failed = { failedAt: deps.clock.now(), failure: FALSE_BEACON };
    const changed = await tx.update(rounds).set(failed).where(isUnpaid).returning({ id: rounds.id });
    if (changed.length > 0) await deps.announce(tx, "round.failed", { gameId: round.gameId, roundId });
  });
  deps.log.error({ roundId, failure: FALSE_BEACON }, ROUND_FAILED);
  return false;
}

/** Settles a drawn round and emits each piece as soon as it is durable. */
export async function settleRound(deps: Pick<Deps, "bus" | "log">, book: BetBook, roundId: number): Promise<void> {
  await book.settle(roundId, (piece) => {
    if ("bettors" in piece) deps.bus.emit("round.counted", { roundId, bettors: piece.bettors });
    else if ("outcomes" in piece) deps.bus.emit("round.credited", { roundId, outcomes: piece.outcomes });
    else if ("settled" in piece) deps.log.info({ roundId, ...piece.settled }, "round settled");
    else deps.log.error({ roundId, failure: piece.failed }, ROUND_FAILED);
  });
}
