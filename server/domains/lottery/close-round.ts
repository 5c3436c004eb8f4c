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
 * Closes a round whose betting time is over: a durable write that every later bet sees. Needs a transaction of the kind
 * `fence` (db/db.ts). Nothing may read the round's seed before it has been committed.
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
  // The update waited for the bets that were being taken, so they are visible now.
  await tx
    .update(rounds)
    .set({ toBet: await lastBet(tx) })
    .where(eq(rounds.id, roundId));
  await deps.announce(tx, "round.closed", { gameId: closed.gameId, roundId });
  return true;
}

/**
 * A round whose draw lies after this moment was opened by a clock that was ahead, two rounds or more too early. A round
 * that is only one too early is left open and played as usual.
 */
export const earlyFrom = (game: Game, now: number): number => now + 2 * game.periodS * SECOND_MS;

/**
 * Closes a round that was opened too early, at once, so that its bettors need not wait; it is drawn from its committed
 * seed. A round without bets becomes part of a gap. Needs a transaction of the kind `fence`.
 */
export async function closeEarlyRound(tx: Tx, deps: Closing, game: Game, roundId: number): Promise<boolean> {
  const now = deps.clock.now();
  failpoint("round.close", roundId);
  const early = and(eq(rounds.id, roundId), isNull(rounds.closedAt), gt(rounds.drawsAt, earlyFrom(game, now)));
  // Changes nothing: the update is for its row lock, which waits for the bets that are being taken.
  const [round] = await tx.update(rounds).set({ betCount: 0 }).where(early).returning();
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
