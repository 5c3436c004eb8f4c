import { and, eq, gte, inArray, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { alias, placeholder, unionAll } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import {
  betKeys,
  bets,
  journalIndex,
  payouts,
  rounds,
  settleRanges,
  transfers,
  withdrawals,
} from "#db/schema/index.ts";
import { isSettledFor } from "#server/domains/ledger/bet-rows.ts";
import { DAY_MS } from "#shared/time.ts";

/** A member's sums of one UTC day. Stakes and wins belong to the day of their round or spin. */
export interface DaySum {
  day: number;
  staked: number;
  won: number;
  deposited: number;
}

const whole = (value: SQL) => sql<number>`${value}`.mapWith(Number);
const summed = (value: SQL) => whole(sql`coalesce(sum(${value}), 0)`);
const NONE = whole(sql`0`);
/** The first column, by its number, as in a union. */
const FIRST = sql`1`;

/** What the indexed rows of the versions first..last come to. */
export const indexedSums = prepared((read) =>
  sumsOfIndexed(read, lte(journalIndex.version, placeholder("last"))).prepare(),
);

/**
 * The sums of all rows from a version on, indexed or not. One statement reads them, so no row is missed. A stake counts
 * once its round is settled for the member.
 */
export const newestSums = prepared((read) =>
  unionAll(sumsOfIndexed(read), openBets(read), openPayouts(read)).prepare(),
);

function sumsOfIndexed(read: Tx, until?: SQL) {
  const { kind, rowId, memberId, version } = journalIndex;
  // A reversal counts on the day of the credit that it reverses.
  const origin = alias(transfers, "origin");
  const moved = sql`(coalesce(${origin.createdAt}, ${transfers.createdAt}) / ${sql.raw(String(DAY_MS))})`;
  const deposited = sql`case when ${transfers.code} = 'deposit' then ${transfers.amount}
    when ${origin.code} = 'deposit' then -${transfers.amount} end`;
  const ofCode = (code: string) =>
    sql`case when ${transfers.code} = ${sql.raw(`'${code}'`)} then ${transfers.amount} end`;
  return read
    .select({
      day: whole(sql`coalesce(${rounds.day}, ${moved})`),
      staked: summed(sql`coalesce(${bets.total}, ${ofCode("spin")})`),
      won: summed(sql`coalesce(${payouts.amount}, ${ofCode("prize")})`),
      deposited: summed(deposited),
    })
    .from(journalIndex)
    .leftJoin(bets, and(sql`${kind} = 'bet'`, eq(bets.id, rowId)))
    .leftJoin(payouts, and(sql`${kind} = 'payout'`, eq(payouts.roundId, rowId), eq(payouts.memberId, memberId)))
    .leftJoin(transfers, and(sql`${kind} = 'transfer'`, eq(transfers.id, rowId)))
    .leftJoin(origin, sql`${origin.id} = ${takenBack}`)
    .leftJoin(rounds, sql`${rounds.id} = coalesce(${bets.roundId}, ${payouts.roundId})`)
    .where(and(eq(memberId, placeholder("member")), gte(version, placeholder("first")), until))
    .groupBy(FIRST);
}

/** A reversal's cause is `trf_` and the id of the reversed transfer. Other causes are not parsed. */
const takenBack = sql`case when ${transfers.code} = 'reversal' then cast(substr(${transfers.cause}, 5) as bigint) end`;

function openBets(read: Tx) {
  const isSettled = or(isNotNull(rounds.settledAt), isNotNull(settleRanges.settledTo));
  return read
    .select({ day: whole(sql`${rounds.day}`), staked: summed(sql`${bets.total}`), won: NONE, deposited: NONE })
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .leftJoin(settleRanges, isSettledFor(bets.roundId, bets.memberId))
    .where(and(eq(betKeys.memberId, placeholder("member")), isSettled))
    .groupBy(FIRST);
}

function openPayouts(read: Tx) {
  // A list, not a join: with a join SQLite would scan all payouts.
  const open = read.select({ id: rounds.id }).from(rounds).where(isNull(rounds.indexedAt));
  const { roundId, memberId, version, amount } = payouts;
  // While a round is being indexed, this member's payout may be in the index already.
  const isIndexed = sql`exists (select 1 from ${journalIndex}
    where ${journalIndex.memberId} = ${memberId} and ${journalIndex.version} = ${version})`;
  return read
    .select({ day: whole(sql`${rounds.day}`), staked: NONE, won: summed(sql`${amount}`), deposited: NONE })
    .from(payouts)
    .innerJoin(rounds, eq(rounds.id, roundId))
    .where(and(inArray(roundId, open), eq(memberId, placeholder("member")), sql`not ${isIndexed}`))
    .groupBy(FIRST);
}

/** Withdrawals paid since a moment, by the UTC day of payment. */
export async function paidWithdrawals(read: Tx, memberId: number, since: number) {
  const { amount, status, updatedAt } = withdrawals;
  return read
    .select({ day: whole(sql`${updatedAt} / ${sql.raw(String(DAY_MS))}`), withdrawn: summed(sql`${amount}`) })
    .from(withdrawals)
    .where(and(eq(withdrawals.memberId, memberId), eq(status, "paid"), gte(updatedAt, since)))
    .groupBy(FIRST);
}
