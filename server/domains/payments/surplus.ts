import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, members, paymentReturns, transfers } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { stepOf } from "#shared/unit.ts";
import type { Deposit } from "./order-deposit.ts";

/*
 * Surplus: money that came for an order and was neither credited nor refunded with it. It was more than the order and its
 * fee, or came after the operator had decided on a part. Nobody counted it towards a limit, so it is not credited. It belongs
 * to the payer: the operator and the member see it in their lists until the operator has returned it at the channel.
 */

type Needs = Pick<Deps, "clock" | "announce">;

/** Prefix of the references of returned surpluses. */
export const SURPLUS = "surplus:";

export const isSurplus = (reference: string): boolean => reference.startsWith(SURPLUS);

const sum = (rows: { amount: Money }[]): Money => rows.reduce((all, { amount }) => all + amount, 0);

/**
 * Records that more has arrived for an order than was known. Idempotent: the same or a smaller amount changes nothing. An
 * order that is still open or lapsed has received nothing.
 */
export async function recordReceived(tx: Tx, deps: Needs, deposit: Deposit, received: Money): Promise<void> {
  const isMore = lt(sql`coalesce(${deposits.received}, ${deposits.amount} + ${deposits.fee})`, received);
  const [updated] = await tx
    .update(deposits)
    .set({ received })
    .where(and(eq(deposits.id, deposit.id), isMore, notInArray(deposits.status, ["waiting", "failed"])))
    .returning();
  if (!updated) return;
  if (updated.status === "refunded") await bookRefund(tx, deps, deposit);
  await announceDeposit(tx, deps, updated);
}

/** Books what was refunded of a payment that was never credited, before more came: that alone is surplus. */
async function bookRefund(tx: Tx, { clock }: Needs, { id, orderNo, received }: Deposit): Promise<void> {
  const [credits, returns] = [await creditsOf(tx, [orderNo]), await returnsOf(tx, [id])];
  const left = (received ?? 0) - sum(returns);
  if (credits.size > 0 || left <= 0) return;
  const row = { depositId: id, reference: `${SURPLUS}${received}`, kind: "refund", due: 0 } as const;
  await tx.insert(paymentReturns).values({ ...row, amount: left, createdAt: clock.now() });
}

/** What came beyond what an order was credited or refunded with: how much of it was returned, and how much was not. */
interface Surplus {
  returned: Money;
  left: Money;
}

/** The surplus of each of these orders, by their id. Orders without one are left out. */
export async function readSurpluses(read: Tx, orders: Deposit[]): Promise<Map<number, Surplus>> {
  const some = orders.filter(
    ({ status, received }) => received !== null && (status === "paid" || status === "refunded"),
  );
  if (some.length === 0) return new Map();
  const credits = await creditsOf(
    read,
    some.map(({ orderNo }) => orderNo),
  );
  const returns = Map.groupBy(
    await returnsOf(
      read,
      some.map(({ id }) => id),
    ),
    ({ depositId }) => depositId,
  );
  const found = some.map((order): [number, Surplus] => [
    order.id,
    surplusOf(order, credits.get(order.orderNo), returns.get(order.id) ?? []),
  ]);
  return new Map(found.filter(([, { returned, left }]) => returned + left > 0));
}

function surplusOf(
  { status, received, fee, unit }: Deposit,
  credited: Money | undefined,
  returns: { reference: string; amount: Money }[],
): Surplus {
  const own = returns.filter(({ reference }) => isSurplus(reference));
  const isCredited = credited !== undefined;
  // A credit that was taken back leaves nothing, nor does a refund after which nothing came.
  if (isCredited ? status !== "paid" : own.length === 0) return { returned: 0, left: 0 };
  const returned = sum(isCredited ? own : returns);
  const left = Math.max(received! - (isCredited ? credited + fee : 0) - returned, 0);
  // Less than the unit's smallest step can be returned by nobody.
  return { returned, left: left - (left % stepOf(unit)) };
}

/** Orders with a surplus that is not returned yet, oldest first. */
export async function listSurpluses(read: Tx) {
  const rows = await read
    .select({ deposit: deposits, username: members.username })
    .from(deposits)
    .innerJoin(members, eq(members.id, deposits.memberId))
    .leftJoin(transfers, and(eq(transfers.code, "deposit"), eq(transfers.cause, deposits.orderNo)))
    // Not by status, of which most are the same: few orders have an amount of their own, and they have an index.
    .where(
      and(isNotNull(deposits.received), gt(deposits.received, sql`coalesce(${transfers.amount} + ${deposits.fee}, 0)`)),
    )
    .orderBy(asc(deposits.id));
  const found = await readSurpluses(
    read,
    rows.map(({ deposit }) => deposit),
  );
  return rows.flatMap(({ deposit, username }) => {
    const { left } = found.get(deposit.id) ?? { left: 0 };
    return left > 0 ? [{ deposit, username, surplus: left }] : [];
  });
}

/** Books a surplus as returned at the channel. It was never credited, so nobody owes it. */
export async function finishSurplus(tx: Tx, deps: Needs, orderNo: string): Promise<Deposit> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.orderNo, orderNo));
  const found = deposit && (await readSurpluses(tx, [deposit])).get(deposit.id);
  if (!found || found.left === 0) throw new Refusal("recharge.decided");
  const { returned, left } = found;
  const row = { depositId: deposit.id, reference: `${SURPLUS}${returned + left}`, kind: "refund", due: 0 } as const;
  await tx.insert(paymentReturns).values({ ...row, amount: left, createdAt: deps.clock.now() });
  await announceDeposit(tx, deps, deposit);
  return deposit;
}

/** What was credited, by the number of the order. */
async function creditsOf(read: Tx, orders: string[]): Promise<Map<string, Money>> {
  const rows = await read
    .select({ cause: transfers.cause, amount: transfers.amount })
    .from(transfers)
    .where(and(eq(transfers.code, "deposit"), inArray(transfers.cause, orders)));
  return new Map(rows.map(({ cause, amount }) => [cause, amount]));
}

const returnsOf = (read: Tx, orders: number[]) =>
  Promise.resolve(
    read
      .select({
        depositId: paymentReturns.depositId,
        reference: paymentReturns.reference,
        amount: paymentReturns.amount,
      })
      .from(paymentReturns)
      .where(and(inArray(paymentReturns.depositId, orders), isNull(paymentReturns.endedAt))),
  );

const announceDeposit = (tx: Tx, deps: Needs, { id, memberId, status }: Deposit): Promise<void> =>
  deps.announce(tx, "deposit.changed", { memberId, depositId: id, status });
