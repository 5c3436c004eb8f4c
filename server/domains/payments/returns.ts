import { and, asc, count, eq, isNotNull, isNull, like, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { transfers } from "#db/schema/ledger.ts";
import { debts, deposits, paymentReturns } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { REST, restReference, returnOfRest } from "#server/domains/ledger/rests.ts";
import { takeBack } from "#server/domains/ledger/take-back.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { isErased } from "#server/domains/account/find-member.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import type { PaymentEvent } from "./channel.ts";
import type { Deposit } from "./order-deposit.ts";
import { isSurplus } from "./surplus.ts";

type Needs = Pick<Deps, "clock" | "announce">;
type Return = typeof paymentReturns.$inferSelect;
type ReturnEvent = Extract<PaymentEvent, { kind: "returned" | "restored" }>;

const sum = (amounts: (Money | null)[]): Money => amounts.reduce<Money>((all, amount) => all + (amount ?? 0), 0);
const causeOf = ({ orderNo }: Deposit, { reference }: Return) => `${orderNo}:${reference}`;

/** Records, once, that a channel took a payment back, and debits the member. */
export async function storeReturn(tx: Tx, deps: Needs, deposit: Deposit, event: ReturnEvent): Promise<void> {
  const reference = event.isState ? await nextOfState(tx, deposit, event) : event.reference;
  if (reference === null) return;
  if (await insertReturn(tx, deps, deposit, { ...event, reference }, null)) await applyReturns(tx, deps, deposit);
}

/** The reference of a state's next return; null while it has one that has not ended. */
async function nextOfState(tx: Tx, deposit: Deposit, event: ReturnEvent): Promise<string | null> {
  const known = await tx
    .select({ endedAt: paymentReturns.endedAt })
    .from(paymentReturns)
    .where(ofEvent(deposit, event));
  if (known.some(({ endedAt }) => endedAt === null)) return null;
  return known.length === 0 ? event.reference : `${event.reference}:${known.length}`;
}

/** The return that an event names; of a state all that it had, of which one at most has not ended. */
function ofEvent(deposit: Deposit, { reference, isState }: ReturnEvent) {
  const isNamed = eq(paymentReturns.reference, reference);
  const isLater = isState ? like(paymentReturns.reference, `${reference}:%`) : undefined;
  return and(ofDeposit(deposit), or(isNamed, isLater));
}

/**
 * Ends a return that the channel undid: the member gets back what was taken, and owes nothing more for it. What other
 * returns still claim is taken again.
 */
export async function endReturn(tx: Tx, deps: Needs, deposit: Deposit, event: ReturnEvent): Promise<void> {
  const now = deps.clock.now();
  // This news came before the return itself, which will then change nothing. The order may be shown as refunded already.
  if (!event.isState && (await insertReturn(tx, deps, deposit, event, now))) return showReturns(tx, deps, deposit);
  const [ended] = await tx
    .update(paymentReturns)
    .set({ endedAt: now })
    .where(and(ofEvent(deposit, event), isNull(paymentReturns.endedAt)))
    .returning();
  if (!ended) return;
  const rests = await tx
    .update(paymentReturns)
    .set({ endedAt: now })
    .where(
      and(ofDeposit(deposit), like(paymentReturns.reference, `${REST}${ended.id}:%`), isNull(paymentReturns.endedAt)),
    )
    .returning();
  const all = [ended, ...rests];
  for (const one of all) await giveBack(tx, deps, deposit, one);
  // The channel's amount may hold its fee, and what was never credited or another return had taken.
  const restored = sum(all.map(({ due }) => due));
  if (restored > 0) await tell(tx, deps, deposit, "recharge.restored", restored);
  await applyReturns(tx, deps, deposit);
}

/** Nothing comes to the wallet of an erased member: the audit names what the operator has to give back. */
async function giveBack(tx: Tx, deps: Needs, deposit: Deposit, one: Return): Promise<void> {
  const owed = await forgive(tx, one, deps.clock.now());
  const taken = (one.due ?? 0) - owed;
  if (taken === 0 || (await isErased(tx, deposit.memberId))) return;
  const order = { code: "chargeback-return", account: "house:channels", amount: taken } as const;
  await transfer(tx, deps, { ...order, memberId: deposit.memberId, cause: causeOf(deposit, one) });
}

/**
 * Debits the member for what returns of a credited payment claim and was not debited yet. What the balance does not cover
 * becomes a debt. A payment that was not credited only changes its status.
 */
export async function applyReturns(tx: Tx, deps: Needs, deposit: Deposit): Promise<void> {
  const credited = await creditedOf(tx, deposit);
  if (credited !== null) {
    const returns = await activeReturns(tx, deposit);
    let left = credited - sum(returns.map(({ due }) => due));
    for (const one of returns.filter(
      ({ reference }) => returnOfRest(reference) === undefined && !isSurplus(reference),
    )) {
      const own = returns.filter(({ id, reference }) => (returnOfRest(reference) ?? id) === one.id);
      const taken = sum(own.map(({ due }) => due));
      const due = Math.min(one.amount - taken, left);
      left -= due;
      const row = await recordDue(tx, deps, one, { taken, due });
      if (due > 0) await take(tx, deps, deposit, row, due);
    }
  }
  await showReturns(tx, deps, deposit);
}

/** Records what a return takes, beyond what it took before. Returns the row that says so. */
async function recordDue(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  one: Return,
  { taken, due }: { taken: Money; due: Money },
): Promise<Return> {
  const { id, depositId, kind } = one;
  if (one.due === null) await tx.update(paymentReturns).set({ due }).where(eq(paymentReturns.id, id));
  if (one.due === null || due === 0) return one;
  const row = { depositId, reference: restReference(id, taken), kind, amount: due, due, createdAt: clock.now() };
  const [rest] = await tx.insert(paymentReturns).values(row).returning();
  return rest!;
}

async function take(tx: Tx, deps: Needs, deposit: Deposit, one: Return, due: Money): Promise<void> {
  const { memberId } = deposit;
  const taken = await takeBack(tx, deps, { code: "chargeback", cause: causeOf(deposit, one), memberId, most: due });
  const amount = due - taken;
  const now = deps.clock.now();
  if (amount > 0) await tx.insert(debts).values({ memberId, returnId: one.id, amount, createdAt: now });
  await tell(tx, deps, deposit, amount > 0 ? "recharge.owed" : "recharge.returned", due);
}

async function tell(
  tx: Tx,
  deps: Needs,
  { memberId, orderNo }: Deposit,
  kind: `recharge.${"owed" | "restored" | "returned"}`,
  amount: Money,
): Promise<void> {
  if (await isErased(tx, memberId)) return;
  await addMessage(tx, deps, memberId, kind, { money: toDecimal(amount), record: orderNo });
}

/** Updates the order's status: whether all of it was taken back, by refund or dispute. */
async function showReturns(
  tx: Tx,
  deps: Needs,
  { id, memberId, status, received, amount, fee }: Deposit,
): Promise<void> {
  if (status === "waiting" || status === "failed") return;
  const returns = await activeReturns(tx, { id });
  const credited = await creditedOf(tx, { id });
  // For a credited payment only the credited part counts: a returned surplus does not.
  const back = sum(returns.map((one) => (credited === null ? one.amount : one.due)));
  const isWhole = back >= (credited ?? received ?? amount + fee);
  const last = returns.findLast(({ due }) => due !== 0);
  const whole = last?.kind === "dispute" ? "disputed" : "refunded";
  const part = credited === null ? (status === "refunding" ? status : "review") : "paid";
  const next = isWhole && last ? whole : part;
  if (next === status) return;
  await tx.update(deposits).set({ status: next }).where(eq(deposits.id, id));
  await deps.announce(tx, "deposit.changed", { memberId, depositId: id, status: next });
}

/** What the member was credited for the order; null when nothing was. */
async function creditedOf(tx: Tx, { id }: Pick<Deposit, "id">): Promise<Money | null> {
  const [row] = await tx
    .select({ amount: transfers.amount })
    .from(deposits)
    .innerJoin(transfers, and(eq(transfers.code, "deposit"), eq(transfers.cause, deposits.orderNo)))
    .where(eq(deposits.id, id));
  return row?.amount ?? null;
}

async function insertReturn(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  deposit: Deposit,
  { reference, why, amount }: ReturnEvent,
  endedAt: number | null,
): Promise<boolean> {
  const row = { depositId: deposit.id, reference, kind: why, amount, createdAt: clock.now(), endedAt };
  const inserted = await tx
    .insert(paymentReturns)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: paymentReturns.id });
  return inserted.length > 0;
}

/** How many refunds of an order its channel undid. */
export async function countFailedRefunds(read: Tx, deposit: Pick<Deposit, "id">): Promise<number> {
  const [counted] = await read
    .select({ failed: count() })
    .from(paymentReturns)
    .where(and(ofDeposit(deposit), eq(paymentReturns.kind, "refund"), isNotNull(paymentReturns.endedAt)));
  return counted!.failed;
}

/** Ends the debt of a return. Returns what was still owed of it. */
async function forgive(tx: Tx, { id }: Return, now: number): Promise<Money> {
  const [debt] = await tx.select().from(debts).where(eq(debts.returnId, id));
  if (!debt || debt.settledAt !== null) return 0;
  await tx.update(debts).set({ settledAt: now }).where(eq(debts.id, debt.id));
  return debt.amount - debt.paid;
}

const ofDeposit = ({ id }: Pick<Deposit, "id">) => eq(paymentReturns.depositId, id);

const activeReturns = (tx: Tx, deposit: Pick<Deposit, "id">): Promise<Return[]> =>
  Promise.resolve(
    tx
      .select()
      .from(paymentReturns)
      .where(and(ofDeposit(deposit), isNull(paymentReturns.endedAt)))
      .orderBy(asc(paymentReturns.id)),
  );
