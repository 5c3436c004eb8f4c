import { asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, members } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { isErased } from "#server/domains/account/find-member.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { stepOf } from "#shared/unit.ts";
import { credit, moveTo } from "./apply-event.ts";
import type { Deposit } from "./order-deposit.ts";

type Needs = Pick<Deps, "clock" | "announce">;

/** Payments that wait for the operator's decision, and refunds that are not done yet; oldest first. */
export function listReviews(read: Tx) {
  return read
    .select({ deposit: deposits, username: members.username })
    .from(deposits)
    .innerJoin(members, eq(members.id, deposits.memberId))
    .where(inArray(deposits.status, ["review", "refunding"]))
    .orderBy(asc(deposits.id));
}

/**
 * What the member would be credited for a payment in review: without the channel's fee, never more than ordered, and
 * rounded down to the unit's smallest step.
 */
export function creditOf({ received, amount, fee, unit }: Deposit): Money {
  const worth = Math.min((received ?? 0) - fee, amount);
  return worth - (worth % stepOf(unit));
}

/**
 * Credits a payment in review. Refuses one in another unit than the ledger's, one that does not exceed the fee, and one of an
 * erased member.
 */
export async function creditReviewed(tx: Tx, deps: Needs, orderNo: string, reason: string): Promise<Deposit> {
  const deposit = await findIn(tx, orderNo, ["review"]);
  const amount = creditOf(deposit);
  if (amount <= 0 || deposit.unit !== (await readUnit(tx)) || (await isErased(tx, deposit.memberId)))
    throw new Refusal("recharge.uncreditable");
  await credit(tx, deps, deposit, amount, reason);
  return deposit;
}

/** Has a payment in review refunded: soon by its channel, or by hand if the channel cannot. */
export async function refundReviewed(tx: Tx, deps: Needs, orderNo: string, reason: string): Promise<Deposit> {
  const deposit = await findIn(tx, orderNo, ["review"]);
  await moveTo(tx, deps, deposit, "refunding", { reason, askAt: deps.clock.now() });
  return deposit;
}

/** Books a refund as done. */
export async function finishRefund(tx: Tx, deps: Needs, orderNo: string): Promise<Deposit> {
  const deposit = await findIn(tx, orderNo, ["refunding"]);
  await moveTo(tx, deps, deposit, "refunded");
  return deposit;
}

async function findIn(tx: Tx, orderNo: string, statuses: Deposit["status"][]): Promise<Deposit> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.orderNo, orderNo));
  if (!deposit) throw new Refusal("object.unknown");
  if (!statuses.includes(deposit.status)) throw new Refusal("recharge.decided");
  return deposit;
}
