import { and, count, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { countDeposit } from "#server/domains/ledger/count-deposit.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { formatMoney } from "#shared/format.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { ProviderRefused, type Checkout } from "./channel.ts";
import type { Channels } from "./channels.ts";
import { newOrderNo } from "./order-number.ts";

export type Deposit = typeof deposits.$inferSelect;

const EXPIRES_AFTER_MS = 30 * MINUTE_MS;
/** How many orders of a member may wait for payment at the same time. */
const MOST_OPEN = 5;
/** When to try again where a channel cannot be reached. */
const AGAIN_S = 10;

export interface DepositRequest {
  memberId: number;
  channel: string;
  amount: Money;
  locale: LocaleCode;
  /** The request's idempotency key. */
  key: string | null;
}

/**
 * Orders a top-up and asks its channel for the page to pay on. The order is written before the channel is asked, in a
 * transaction of its own; until the channel has answered, the same key goes on with the same order.
 */
export async function orderDeposit(deps: Deps, channels: Channels, wish: DepositRequest): Promise<Deposit> {
  const order = await deps.db.transact((tx) => openOrder(tx, deps, channels, wish));
  if (order.page !== null) return order;
  try {
    return { ...order, ...(await channels.find(order.channel)!.prepare(order)) };
  } catch (error) {
    deps.log.warn({ err: error, channel: order.channel, orderNo: order.orderNo }, "a payment page was not prepared");
    if (error instanceof ProviderRefused) await deps.db.transact((tx) => giveUp(tx, deps, order));
    throw new Refusal("recharge.away", { retryAfterS: AGAIN_S });
  }
}

/** Keeps where the order is paid, in the transaction that keeps the answer for the request's key. */
export async function keepCheckout(tx: Tx, id: number, { page, opens, reference }: Checkout): Promise<void> {
  await tx.update(deposits).set({ page, opens, reference }).where(eq(deposits.id, id));
}

/** Refuses what may not be ordered. It counts towards the member's limits now, paid or not. */
async function openOrder(tx: Tx, deps: Deps, channels: Channels, wish: DepositRequest): Promise<Deposit> {
  const { memberId, amount, locale, key } = wish;
  const unit = await readUnit(tx);
  const way = channels.offered(unit).find(({ code }) => code === wish.channel);
  if (!way) throw invalid({ pay_way: "payWay" });
  const now = deps.clock.now();
  const begun = key === null ? undefined : await findBegun(tx, memberId, key, now);
  if (begun) {
    if (begun.channel !== way.code || begun.amount !== amount) throw new Refusal("key.reused");
    return begun;
  }
  if (deps.settings.get("close_recharge") === 1) throw new Refusal("recharge.closed");
  if (amount < way.least || amount > way.most) {
    const [min, max] = [way.least, way.most].map((limit) => formatMoney(limit, unit, locale));
    throw new Refusal("recharge.range", {
      text: deps.text(locale, "refusal.recharge.range", { min: min!, max: max! }),
    });
  }
  // First of all writes: it holds the wallet, so that no two orders of a member are counted at the same time.
  await countDeposit(tx, memberId, amount, now);
  const [open] = await tx
    .select({ orders: count() })
    .from(deposits)
    .where(and(eq(deposits.memberId, memberId), eq(deposits.status, "waiting")));
  if (open!.orders >= MOST_OPEN) throw new Refusal("recharge.open");
  const expiresAt = now + EXPIRES_AFTER_MS;
  const fee = channels.feeOf(way.code, amount, unit);
  const order = { orderNo: newOrderNo(deps), memberId, channel: way.code, amount, fee, unit, locale, requestKey: key };
  const [row] = await tx
    .insert(deposits)
    .values({ ...order, status: "waiting", createdAt: now, expiresAt, askAt: expiresAt })
    .returning();
  return row!;
}

/**
 * The order that this key began: here or at another server, which may have answered meanwhile. A key is free again after a
 * day, and when its order ended before there was an answer.
 */
async function findBegun(tx: Tx, memberId: number, key: string, now: number): Promise<Deposit | undefined> {
  const [begun] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.memberId, memberId), eq(deposits.requestKey, key)));
  if (!begun) return undefined;
  const isOver = begun.page === null && begun.status !== "waiting";
  if (begun.createdAt > now - DAY_MS && !isOver) return begun;
  await tx.update(deposits).set({ requestKey: null }).where(eq(deposits.id, begun.id));
  return undefined;
}

async function giveUp(tx: Tx, deps: Pick<Deps, "announce">, { id, memberId }: Deposit): Promise<void> {
  const [changed] = await tx
    .update(deposits)
    .set({ status: "failed", requestKey: null })
    .where(and(eq(deposits.id, id), eq(deposits.status, "waiting")))
    .returning({ id: deposits.id });
  if (changed) await deps.announce(tx, "deposit.changed", { memberId, depositId: id, status: "failed" });
}
