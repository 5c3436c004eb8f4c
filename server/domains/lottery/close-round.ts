import { and, between, eq, gt, isNull, lte } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { bets, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { SECOND_MS } from "#shared/time.ts";
import { correctGaps } from "./gaps.ts";
import { lastBet } from "./open-round.ts";
import type { Game } from "./read-games.ts";

type Closing = Pick<Deps, "clock" | "announce">;

/**
 * In a transaction of the kind `fence` (db/connect.ts), closes a round whose betting time is over: a durable write that every later
 * bet sees. Nothing may read the round's seed before it has been committed.
 */
export async function closeRound(tx: Tx, deps: Closing, roundId: number): Promise<boolean> {
  const now = deps.clock.now();
  failpoint("round.close", roundId);
  const [closed] = await tx
    .update(rounds)
    .set({ closedAt: now })
    .where(and(eq(rounds.id, roundId), isNull(rounds.closedAt), lte(rounds.closesAt, now)))
    .returning({ gameId: rounds.gameId });
  if (!closed) return false;
  // Whatever was being taken meanwhile has been waited for, and is there now.
  await tx
    .update(rounds)
    .set({ toBet: await lastBet(tx) })
    .where(eq(rounds.id, roundId));
  await deps.announce(tx, "round.closed", { gameId: closed.gameId, roundId });
  return true;
}

/**
 * Rounds drawn after this moment were opened by a clock that was ahead, two rounds or more before their time. One that is
 * merely next is waited for, and then played as if nothing had happened.
 */
export const earlyFrom = (game: Game, now: number): number => now + 2 * game.periodS * SECOND_MS;

/**
 * In a transaction of the kind `fence`, closes a round that was opened too early, at once: whoever bet on it is not kept
 * waiting for its time, and it is drawn from the seed it was committed to. If nobody did, it becomes part of a gap.
 */
export async function closeEarlyRound(tx: Tx, deps: Closing, game: Game, roundId: number): Promise<boolean> {
  const now = deps.clock.now();
  failpoint("round.close", roundId);
  const early = and(eq(rounds.id, roundId), isNull(rounds.closedAt), gt(rounds.drawsAt, earlyFrom(game, now)));
  // Changes nothing, and waits for the bets that are being taken.
  const [round] = await tx.update(rounds).set({ settledTo: 0 }).where(early).returning();
  if (!round) return false;
  const toBet = await lastBet(tx);
  const [bet] = await tx
    .select({ id: bets.id })
    .from(bets)
    .where(and(between(bets.id, round.fromBet, toBet), eq(bets.roundId, roundId)))
    .limit(1);
  const isSkipped = bet === undefined;
  const skipped = isSkipped ? { skippedAt: now, indexedAt: now } : {};
  await tx
    .update(rounds)
    .set({ closedAt: now, toBet, ...skipped })
    .where(eq(rounds.id, roundId));
  await correctGaps(tx, game, now, { ...round, isSkipped });
  await deps.announce(tx, "round.closed", { gameId: game.id, roundId });
  return true;
}
