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
/** The most orders of a member that may wait for payment at the same time. */
const MOST_OPEN = 5;
/** When to retry a channel that cannot be reached. */
const AGAIN_S = 10;

interface DepositRequest {
  memberId: number;
  channel: string;
  amount: Money;
  locale: LocaleCode;
  /** The request's idempotency key. */
  key: string | null;
}

/**
 * Orders a top-up and has its channel prepare the payment page. The order is committed before the channel is called. Until
 * the channel has replied, a retry under the same idempotency key goes on with the same order.
 */
export async function orderDeposit(deps: Deps, channels: Channels, request: DepositRequest): Promise<Deposit> {
  const order = await deps.db.transact((tx) => openOrder(tx, deps, channels, request));
  if (order.page !== null) return order;
  try {
    return { ...order, ...(await channels.find(order.channel)!.prepare(order)) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    deps.log.warn(
      { err: error, channel: order.channel, orderNo: order.orderNo },
      "a payment page could not be prepared",
    );
    if (error instanceof ProviderRefused) await deps.db.transact((tx) => giveUp(tx, deps, order));
    throw new Refusal("recharge.away", { retryAfterS: AGAIN_S });
  }
}

/** Stores where the order is paid, in the transaction that stores the reply under the request's key. */
export async function storeCheckout(tx: Tx, id: number, { page, opens, reference }: Checkout): Promise<void> {
  await tx.update(deposits).set({ page, opens, reference }).where(eq(deposits.id, id));
}

/** Opens an order, or refuses it. The order counts towards the member's limits now, paid or not. */
async function openOrder(tx: Tx, deps: Deps, channels: Channels, request: DepositRequest): Promise<Deposit> {
  const { memberId, amount, locale, key } = request;
  const unit = await readUnit(tx);
  const way = channels.offered(unit).find(({ code }) => code === request.channel);
  if (!way) throw invalid({ pay_way: "payWay" });
  const now = deps.clock.now();
  const begun = key === null ? undefined : await findBegun(tx, memberId, key, now);
  if (begun) {
    if (begun.channel !== way.code || begun.amount !== amount) throw new Refusal("key.reused");
    return begun;
  }
  if (deps.settings.get("close_recharge") === 1) throw new Refusal("recharge.closed");
  // The first write: it locks the wallet, so that two orders of a member are not counted at the same time.
  await countDeposit(tx, memberId, amount, now);
  if (amount < way.least || amount > way.most) {
    const [min, max] = [way.least, way.most].map((limit) => formatMoney(limit, unit, locale));
    throw new Refusal("recharge.range", {
      text: deps.text(locale, "refusal.recharge.range", { min: min!, max: max! }),
    });
  }
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
 * The order begun under this key, here or at another server. A key is free again after a day, or when its order ended
 * before there was a reply.
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
