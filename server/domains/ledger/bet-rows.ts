import { and, eq, gte, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betKeys, bets, exactMask, games, journalIndex, odds, rounds, settleRanges } from "#db/schema/index.ts";
import type { Money } from "#shared/money.ts";

const BET = {
  id: bets.id,
  memberId: bets.memberId,
  mask: exactMask,
  stake: bets.stake,
  total: bets.total,
  version: bets.version,
  balance: bets.balanceAfter,
  createdAt: bets.createdAt,
  odds: odds.milli,
  oddsId: odds.id,
  unit: odds.unit,
  oddsFrom: odds.createdAt,
  day: rounds.day,
  number: rounds.number,
  dice: rounds.dice,
  settledAt: rounds.settledAt,
  /** Null until the member is settled, and once the round is indexed. */
  settledTo: settleRanges.settledTo,
  failedAt: rounds.failedAt,
  refundedAt: rounds.refundedAt,
  key: games.key,
  periodS: games.periodS,
  closeS: games.closeS,
  kind: games.kind,
  icon: games.icon,
  name: games.name,
};

/** Joins the range of a round in which a member is settled. There is none once the round is indexed. */
export const isSettledFor = (
  roundId: typeof bets.roundId | typeof rounds.id,
  memberId: typeof bets.memberId | number,
) => and(eq(settleRanges.roundId, roundId), lte(settleRanges.fromId, memberId), gte(settleRanges.settledTo, memberId));

/**
 * Bets that are not indexed yet, by their keys. To read all of a member's bets, read these before the index: a bet that
 * is missing here is indexed by then. A bet may be in both.
 */
export const unindexedBets = (read: Tx) =>
  read
    .select(BET)
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId))
    .leftJoin(settleRanges, isSettledFor(bets.roundId, bets.memberId));

/** Rows of the index joined with bets. The caller's condition picks the rows that are bets. */
export const indexedBets = (read: Tx) =>
  read
    .select(BET)
    .from(journalIndex)
    .innerJoin(bets, eq(bets.id, journalIndex.rowId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId))
    .leftJoin(settleRanges, isSettledFor(bets.roundId, bets.memberId));

export type BetRow = Awaited<ReturnType<typeof indexedBets>>[number];

/** The draw, once the member may see it: after their win is paid. */
export const publicDraw = (bet: BetRow): BetRow["dice"] => (isPaid(bet) ? bet.dice : null);

/** Whether the member has their stake of a round back that is never drawn. */
export const isReturned = (bet: BetRow): boolean => bet.refundedAt !== null && isPaid(bet);

/** How a bet stands; `win` is null until its round is over. It is won only if more came back than was staked. */
export function statusOf(bet: BetRow, win: Money | null) {
  if (win === null) return "waiting";
  if (isReturned(bet)) return "returned";
  return win > bet.total ? "won" : win > 0 ? "settled" : "lost";
}

const isPaid = ({ settledAt, settledTo, failedAt }: BetRow): boolean =>
  settledAt !== null || (failedAt === null && settledTo !== null);
