import { and, asc, count, eq, exists, gte, inArray, isNull, like, ne, not } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  betKeys,
  bets,
  debts,
  deposits,
  journalIndex,
  logRounds,
  paymentReturns,
  rounds,
  wallets,
} from "#db/schema/index.ts";
import { readSurpluses, SURPLUS } from "#server/domains/payments/surplus.ts";
import { openWithdrawals } from "#server/domains/payments/unbind-bank.ts";
import { toDecimal } from "#shared/money.ts";
import { DAY_MS } from "#shared/time.ts";
import { POINTS } from "#shared/unit.ts";

/** Orders that somebody still has to pay or to decide. */
const UNDER_WAY = ["waiting", "review", "refunding"] as const;
/** For so many days banks take a payment back, and undo that. */
const BANK_DAYS = 120;

/** Why a member cannot be erased now: what still has to be decided, paid or drawn. Null if nothing waits. */
export async function whyNotErased(read: Tx, memberId: number, now: number): Promise<string | null> {
  const [wallet] = await read.select().from(wallets).where(eq(wallets.memberId, memberId));
  if (wallet!.balance !== 0) return `the balance is ${toDecimal(wallet!.balance)}: pay it out first (withdraw:pay)`;
  const asked = await openWithdrawals(read, memberId);
  if (asked.length > 0) return `decide first: ${asked.join(", ")} (withdraw:reject or withdraw:pay)`;
  const isOwed = and(eq(debts.memberId, memberId), isNull(debts.settledAt));
  if ((await read.select({ id: debts.id }).from(debts).where(isOwed).limit(1)).length > 0)
    return "a returned payment is not settled yet";
  const why = (await whyNotOver(read, memberId)) ?? (await whyOfBank(read, memberId, now));
  if (why !== null) return why;
  return (await whyNotStated(read, memberId, wallet!.version))
    ? "some of their bets are not drawn, paid or stated in the public log yet: try again in a minute"
    : null;
}

/** Whether a top-up is under way, or more came for it than was credited or given back. */
async function whyNotOver(read: Tx, memberId: number): Promise<string | null> {
  const orders = await read.select().from(deposits).where(eq(deposits.memberId, memberId)).orderBy(asc(deposits.id));
  const open = orders.find(({ status }) => UNDER_WAY.some((one) => one === status));
  if (open) return `the top-up ${open.orderNo} is not over yet`;
  const surpluses = await readSurpluses(read, orders);
  const over = orders.find(({ id }) => (surpluses.get(id)?.left ?? 0) > 0);
  return over ? `the top-up ${over.orderNo} has a surplus: return it first (recharge:review)` : null;
}

/** Whether a bank may still take a top-up back, which the member would owe, or undo that. Points are in no bank. */
async function whyOfBank(read: Tx, memberId: number, now: number): Promise<string | null> {
  const isMoney = and(inArray(deposits.status, ["paid", "disputed", "refunded"]), ne(deposits.unit, POINTS));
  const isReturn = and(eq(paymentReturns.depositId, deposits.id), not(like(paymentReturns.reference, `${SURPLUS}%`)));
  const rows = await read
    .select({ deposit: deposits, returnedAt: paymentReturns.createdAt })
    .from(deposits)
    .leftJoin(paymentReturns, isReturn)
    .where(and(eq(deposits.memberId, memberId), isMoney))
    .orderBy(asc(deposits.id));
  for (const { deposit, returnedAt } of rows) {
    const { orderNo, status, paidAt } = deposit;
    const until = Math.max(status === "refunded" ? 0 : paidAt!, returnedAt ?? 0) + BANK_DAYS * DAY_MS;
    const day = new Date(until).toISOString().slice(0, "yyyy-mm-dd".length);
    if (now < until)
      return `a bank may still take the top-up ${orderNo} back, or undo that, for ${BANK_DAYS} days: try again on ${day}`;
  }
  return null;
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
