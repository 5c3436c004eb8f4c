import { and, asc, eq, gt, inArray, isNull, like, lt, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits, members, paymentReturns } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Deposit } from "./order-deposit.ts";

/*
 * What was paid of an order beyond it and its fee. It is not credited: it counted towards no limit. It belongs to the payer,
 * so it stands in the operator's list and in the member's until the operator has returned it at the channel.
 */

type Needs = Pick<Deps, "clock" | "announce">;

/** Begins the references of returned surpluses. */
const SURPLUS = "surplus:";

const beyond = ({ received, amount, fee }: Deposit): Money => Math.max((received ?? 0) - amount - fee, 0);

/** Keeps that more came than was ordered. Told again, or told less, it changes nothing. */
export async function keepSurplus(tx: Tx, deps: Needs, orderNo: string, received: Money): Promise<void> {
  const [kept] = await tx
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
  if (kept) await tell(tx, deps, kept);
}

/** What came beyond each of these orders, by their number, and what of it was returned; only where there was any. */
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

/** Orders whose surplus is still to be returned, oldest first. */
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

/** Books that a surplus was returned at the channel. Nobody was credited with it, so nobody owes it. */
export async function finishSurplus(tx: Tx, deps: Needs, orderNo: string): Promise<Deposit> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.orderNo, orderNo));
  const found = deposit && (await readSurpluses(tx, [deposit])).get(deposit.id);
  if (!found || found.surplus === found.returned) throw new Refusal("recharge.decided");
  const { surplus, returned } = found;
  const row = { depositId: deposit.id, reference: `${SURPLUS}${surplus}`, kind: "refund", due: 0 } as const;
  await tx.insert(paymentReturns).values({ ...row, amount: surplus - returned, createdAt: deps.clock.now() });
  await tell(tx, deps, deposit);
  return deposit;
}

const tell = (tx: Tx, deps: Needs, { id, memberId, status }: Deposit): Promise<void> =>
  deps.announce(tx, "deposit.changed", { memberId, depositId: id, status });
