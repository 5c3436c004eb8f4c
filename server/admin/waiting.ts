import { inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments } from "#db/schema/listing.ts";
import { deposits, withdrawals } from "#db/schema/payments.ts";
import { conversations } from "#db/schema/support.ts";
import { readUnpaidRounds } from "#server/domains/lottery/unpaid-rounds.ts";

const count = sql<number>`cast(count(*) as integer)`;

/** A withdrawal that an operator has to decide or pay. */
export const isOpenWithdrawal = inArray(withdrawals.status, ["review", "approved"]);
/** A comment that nobody has decided on. */
export const isNewComment = isNull(comments.shown);
/** The most that a list shows of what waits, the oldest of it; and of what does not, the newest. */
export const [MOST_WAITING, MOST_DONE] = [1_000, 200];

/** How many payments, withdrawals, messages and comments wait for an operator. */
export async function countWaiting(read: Tx) {
  const [payouts] = await read.select({ count }).from(withdrawals).where(isOpenWithdrawal);
  const [remarks] = await read.select({ count }).from(comments).where(isNewComment);
  const [questions] = await read.select({ count }).from(conversations).where(isNotNull(conversations.waitingSince));
  const isDoubtful = inArray(deposits.status, ["review", "refunding"]);
  const [payments] = await read.select({ count }).from(deposits).where(isDoubtful);
  return {
    withdrawals: payouts!.count,
    comments: remarks!.count,
    messages: questions!.count,
    recharges: payments!.count,
  };
}

/** Rounds whose bettors are not paid though they should be: those that failed a check, and how many are late. */
export async function readTrouble(read: Tx, now: number) {
  const unpaid = await readUnpaidRounds(read, now);
  const failed = unpaid.filter(({ isFailed }) => isFailed);
  return { failed, late: unpaid.filter(({ isFailed, isOverdue }) => isOverdue && !isFailed).length };
}
