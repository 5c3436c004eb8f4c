import { and, count, eq, exists, gte, isNull, notInArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betKeys, bets, debts, deposits, journalIndex, logRounds, rounds, wallets } from "#db/schema/index.ts";
import { openWithdrawals } from "#server/domains/payments/unbind-bank.ts";
import { toDecimal } from "#shared/money.ts";

/** Orders of which nothing is to come any more. */
const OVER = ["failed", "credited", "refunded"] as const;

/** Why a member cannot be erased now: what still has to be decided, paid or drawn. Null if nothing waits. */
export async function whyNotErased(read: Tx, memberId: number): Promise<string | null> {
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  if (wallet!.balance !== 0) return `the balance is ${toDecimal(wallet!.balance)}: pay it out first (withdraw:pay)`;
  const asked = await openWithdrawals(read, memberId);
  if (asked.length > 0) return `decide first: ${asked.join(", ")} (withdraw:reject or withdraw:pay)`;
  const isOwed = and(eq(debts.memberId, memberId), isNull(debts.settledAt));
  if ((await read.select({ id: debts.id }).from(debts).where(isOwed).limit(1)).length > 0)
    return "a returned payment is not settled yet";
  const isOrder = and(eq(deposits.memberId, memberId), notInArray(deposits.status, [...OVER]));
  const [order] = await read.select({ no: deposits.orderNo }).from(deposits).where(isOrder).limit(1);
  if (order) return `the top-up ${order.no} is not over yet`;
  return (await whyNotStated(read, memberId, wallet!.version))
    ? "some of their bets are not drawn, paid or stated in the public log yet: try again in a minute"
    : null;
}

/** Whether a bet is open, or not indexed, or of a round of which the log has not said all. */
async function whyNotStated(read: Tx, memberId: number, version: number): Promise<boolean> {
  const [open] = await read.select({ id: betKeys.betId }).from(betKeys).where(eq(betKeys.memberId, memberId)).limit(1);
  if (open) return true;
  const isOwn = eq(journalIndex.memberId, memberId);
  const [indexed] = await read.select({ count: count() }).from(journalIndex).where(isOwn);
  if (indexed!.count !== version) return true;
  const isIn = and(gte(bets.id, rounds.fromBet), eq(bets.roundId, rounds.id), eq(bets.memberId, memberId));
  const [unstated] = await read
    .select({ id: rounds.id })
    .from(logRounds)
    .innerJoin(rounds, eq(rounds.id, logRounds.roundId))
    .where(exists(read.select({ id: bets.id }).from(bets).where(isIn)))
    .limit(1);
  return unstated !== undefined;
}
