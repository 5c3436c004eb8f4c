import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betKeys, bets, exactMask, games, journalIndex, odds, rounds } from "#db/schema/index.ts";

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
  day: rounds.day,
  number: rounds.number,
  dice: rounds.dice,
  settledAt: rounds.settledAt,
  settledTo: rounds.settledTo,
  failedAt: rounds.failedAt,
  key: games.key,
  kind: games.kind,
  icon: games.icon,
  name: games.name,
};

/**
 * Bets that are not indexed yet, by their keys. Whoever wants all of a member's reads these first: one that is not
 * among them is indexed by then, and one that is may be both.
 */
export const unindexedBets = (read: Tx) =>
  read
    .select(BET)
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId));

/** Rows of the index with the bets they lead to; which of them are bets is for the condition to say. */
export const indexedBets = (read: Tx) =>
  read
    .select(BET)
    .from(journalIndex)
    .innerJoin(bets, eq(bets.id, journalIndex.rowId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId));

export type BetRow = Awaited<ReturnType<typeof indexedBets>>[number];

/** The draw as the member may know them: nobody is told of a win before it is paid, in the order of members' ids. */
export const publicDraw = ({ dice, settledAt, settledTo, failedAt, memberId }: BetRow): BetRow["dice"] =>
  settledAt !== null || (failedAt === null && memberId <= settledTo) ? dice : null;
