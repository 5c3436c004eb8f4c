import { and, asc, eq, inArray, lte, notInArray } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { channelLooks, deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { applyEvent } from "./apply-event.ts";
import { ProviderRefused, type Channel, type PaymentEvent } from "./channel.ts";
import type { Deposit } from "./order-deposit.ts";
import { countFailedRefunds } from "./returns.ts";
import { finishRefund } from "./review.ts";

/** Orders of one channel per run. */
const AT_ONCE = 50;
/** How often a channel's payments are compared with our orders. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
/** How soon one that could not be reached is asked again. */
const LOOK_AGAIN_MS = MINUTE_MS;
/** A provider's list may lag behind, and clocks may differ. */
const OVERLAP_MS = HOUR_MS;
/** How long a claimed order is left alone by other servers. */
const CLAIM_MS = MINUTE_MS;

/**
 * Queries a channel about expired orders, makes the refunds that the operator decided, and finds payments that were never
 * notified. A channel that cannot be reached is left alone until the next run. Orders are queried with growing backoff.
 */
export async function reconcile(deps: Deps, channel: Channel): Promise<void> {
  await eachDue(deps, channel, "waiting", (order) => settle(deps, channel, order));
  const { refund } = channel;
  if (refund) await eachDue(deps, channel, "refunding", (order) => refundOrder(deps, channel, order));
  await findUnnotified(deps, channel);
}

/**
 * Applies news one by one, as it is listed. News that is refused or fails is logged and does not stop the rest: with a
 * provider's list it would stop it for good. Returns the first refusal; throws the first failure, so that its news is
 * asked for again.
 */
export async function applyEvents(
  deps: Deps,
  channel: string,
  events: PaymentEvent[] | AsyncIterable<PaymentEvent>,
): Promise<Refusal | null> {
  let refusal: Refusal | null = null;
  const failures: unknown[] = [];
  for await (const one of events) {
    const about = { channel, orderNo: one.orderNo, kind: one.kind };
    try {
      await deps.db.transact((tx) => applyEvent(tx, deps, channel, one));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (error instanceof Refusal) {
        deps.log.warn({ ...about, reason: error.reason }, "a payment event was refused");
        refusal ??= error;
      } else {
        deps.log.error({ ...about, err: error }, "a payment event could not be applied");
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
  return refusal;
}

async function settle(deps: Deps, channel: Channel, order: Deposit): Promise<void> {
  const events = await channel.query(order);
  const isRefused = await applyEvents(
    deps,
    channel.code,
    events.length > 0 ? events : [{ kind: "failed", orderNo: order.orderNo }],
  );
  if (isRefused) await backOff(deps, order);
}

async function refundOrder(deps: Deps, channel: Channel, order: Deposit): Promise<void> {
  try {
    const failed = await countFailedRefunds(deps.db.read, order);
    await channel.refund!(order, order.received ?? order.amount + order.fee, failed);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // It stays in the operator's list and may have to be done by hand.
    deps.log.error({ err: error, orderNo: order.orderNo }, "a refund was refused");
    return backOff(deps, order, HOUR_MS);
  }
  await deps.db.transact((tx) => finishRefund(tx, deps, order.orderNo));
}

async function eachDue(
  deps: Deps,
  { code }: Channel,
  status: "waiting" | "refunding",
  work: (order: Deposit) => Promise<void>,
): Promise<void> {
  const now = deps.clock.now();
  const over = status === "waiting" ? lte(deposits.expiresAt, now) : undefined;
  const due = await deps.db.read
    .select()
    .from(deposits)
    .where(and(eq(deposits.status, status), lte(deposits.askAt, now), eq(deposits.channel, code), over))
    .orderBy(asc(deposits.askAt))
    .limit(AT_ONCE);
  for (const order of due) {
    if (!(await claim(deps, order, now))) continue;
    try {
      await work(order);
    } catch (error) {
      deps.log.warn({ err: error, channel: code, orderNo: order.orderNo }, "a channel could not be queried");
      await backOff(deps, order);
      return;
    }
  }
}

/**
 * Ends unpaid orders of channels that are set up no longer, a day after their time: nobody can be asked about them. They
 * would count among the member's open orders for ever, and keep them from being erased.
 */
export async function lapseOrphans(deps: Pick<Deps, "db" | "clock" | "announce">, codes: string[]): Promise<void> {
  const isOver = and(eq(deposits.status, "waiting"), lte(deposits.expiresAt, deps.clock.now() - DAY_MS));
  const isOrphan = and(isOver, notInArray(deposits.channel, codes));
  const found = await deps.db.read.select().from(deposits).where(isOrphan).limit(AT_ONCE);
  if (found.length === 0) return;
  await deps.db.transact(async (tx) => {
    const ids = found.map(({ id }) => id);
    const lapsed = await tx
      .update(deposits)
      .set({ status: "failed" })
      .where(and(isOrphan, inArray(deposits.id, ids)))
      .returning({ depositId: deposits.id, memberId: deposits.memberId });
    const events = lapsed.map((one) => ({ ...one, status: "failed" as const }));
    if (events.length > 0) await deps.announce(tx, "deposit.changed", ...events);
  });
}

/** Claims an order, so that only one of several servers queries it. */
async function claim({ db }: Deps, { id, askAt }: Deposit, now: number): Promise<boolean> {
  return db.transact(async (tx) => {
    const mine = await tx
      .update(deposits)
      .set({ askAt: now + CLAIM_MS })
      .where(and(eq(deposits.id, id), eq(deposits.askAt, askAt)))
      .returning({ id: deposits.id });
    return mine.length > 0;
  });
}

/** Backoff: the longer an order has been due, the later it is queried again, after an hour at most. */
async function backOff({ db, clock }: Deps, { id, status, expiresAt }: Deposit, least = 30 * SECOND_MS): Promise<void> {
  const now = clock.now();
  const waitMs = Math.min(Math.max((now - expiresAt) / 2, least), HOUR_MS);
  await db.transact(async (tx) => {
    await tx
      .update(deposits)
      .set({ askAt: now + Math.round(waitMs) })
      .where(and(eq(deposits.id, id), eq(deposits.status, status)));
  });
}

async function findUnnotified(deps: Deps, channel: Channel): Promise<void> {
  if (!channel.recent) return;
  const now = deps.clock.now();
  const since = await claimLook(deps, channel.code, now);
  if (since === null) return;
  const failures: unknown[] = [];
  await applyEvents(deps, channel.code, untilFailure(channel.recent(since - OVERLAP_MS), failures));
  for (const err of failures) deps.log.warn({ err, channel: channel.code }, "a channel's payments could not be listed");
  const next = failures.length > 0 ? { lookAt: now + LOOK_AGAIN_MS } : { lookedTo: now };
  await deps.db.transact(async (tx) => {
    await tx.update(channelLooks).set(next).where(eq(channelLooks.channel, channel.code));
  });
}

/** A list until it ends or fails. Why it failed is kept in `failures`. */
async function* untilFailure<T>(list: AsyncIterable<T>, failures: unknown[]): AsyncGenerator<T> {
  try {
    yield* list;
  } catch (error) {
    failures.push(error);
  }
}

/** Claims the comparison. Returns since when to compare; null when it is not due or another server does it. */
async function claimLook({ db }: Deps, channel: string, now: number): Promise<number | null> {
  return db.transact(async (tx) => {
    const first = { channel, lookedTo: now, lookAt: now };
    await tx.insert(channelLooks).values(first).onConflictDoNothing();
    const [mine] = await tx
      .update(channelLooks)
      .set({ lookAt: now + LOOK_EVERY_MS })
      .where(and(eq(channelLooks.channel, channel), lte(channelLooks.lookAt, now)))
      .returning({ lookedTo: channelLooks.lookedTo });
    return mine?.lookedTo ?? null;
  });
}
