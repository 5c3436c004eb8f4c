import { and, asc, eq, gt, inArray, isNull, like, lt, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, members, paymentReturns } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Deposit } from "./order-deposit.ts";

/*
 * Surplus: money paid beyond an order and its fee. It is not credited, since it counted towards no limit. It belongs to the
 * payer, so the operator and the member see it in their lists until the operator has returned it at the channel.
 */

type Needs = Pick<Deps, "clock" | "announce">;

/** Prefix of the references of returned surpluses. */
const SURPLUS = "surplus:";

export const isSurplus = (reference: string): boolean => reference.startsWith(SURPLUS);

const beyond = ({ received, amount, fee }: Deposit): Money => Math.max((received ?? 0) - amount - fee, 0);

/** Records that more arrived than was ordered. Idempotent: the same or a smaller amount changes nothing. */
export async function recordSurplus(tx: Tx, deps: Needs, orderNo: string, received: Money): Promise<void> {
  const [updated] = await tx
    .update(deposits)
    .set({ received })
    .where(
      and(
        eq(deposits.orderNo, orderNo),
        gt(sql`${received}`, sql`${deposits.amount} + ${deposits.fee}`),
        or(isNull(deposits.received), lt(deposits.received, received)),
      ),
    )
    .returning();
  if (updated) await announceDeposit(tx, deps, updated);
}

/** The surplus of each of these orders, by their id, and how much of it was returned. Orders without one are left out. */
export async function readSurpluses(
  read: Tx,
  orders: Deposit[],
): Promise<Map<number, { surplus: Money; returned: Money }>> {
  const paid = orders.filter((order) => order.status === "paid" && beyond(order) > 0);
  if (paid.length === 0) return new Map();
  const ids = paid.map(({ id }) => id);
  const returns = await read
    .select({ depositId: paymentReturns.depositId, amount: paymentReturns.amount })
    .from(paymentReturns)
    .where(and(inArray(paymentReturns.depositId, ids), like(paymentReturns.reference, `${SURPLUS}%`)));
  const found = new Map(paid.map((order) => [order.id, { surplus: beyond(order), returned: 0 }]));
  for (const { depositId, amount } of returns) found.get(depositId)!.returned += amount;
  return found;
}

/** Orders with a surplus that is not returned yet, oldest first. */
export async function listSurpluses(read: Tx) {
  const rows = await read
    .select({ deposit: deposits, username: members.username })
    .from(deposits)
    .innerJoin(members, eq(members.id, deposits.memberId))
    .where(and(eq(deposits.status, "paid"), gt(deposits.received, sql`${deposits.amount} + ${deposits.fee}`)))
    .orderBy(asc(deposits.id));
  const found = await readSurpluses(
    read,
    rows.map(({ deposit }) => deposit),
  );
  return rows.flatMap(({ deposit, username }) => {
    const { surplus, returned } = found.get(deposit.id)!;
    return surplus > returned ? [{ deposit, username, surplus: surplus - returned }] : [];
  });
}

/** Books a surplus as returned at the channel. It was never credited, so nobody owes it. */
export async function finishSurplus(tx: Tx, deps: Needs, orderNo: string): Promise<Deposit> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.orderNo, orderNo));
  const found = deposit && (await readSurpluses(tx, [deposit])).get(deposit.id);
  if (!found || found.surplus === found.returned) throw new Refusal("recharge.decided");
  const { surplus, returned } = found;
  const row = { depositId: deposit.id, reference: `${SURPLUS}${surplus}`, kind: "refund", due: 0 } as const;
  await tx.insert(paymentReturns).values({ ...row, amount: surplus - returned, createdAt: deps.clock.now() });
  await announceDeposit(tx, deps, deposit);
  return deposit;
}

const announceDeposit = (tx: Tx, deps: Needs, { id, memberId, status }: Deposit): Promise<void> =>
  deps.announce(tx, "deposit.changed", { memberId, depositId: id, status });
