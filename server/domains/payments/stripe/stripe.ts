import type { Stripe } from "stripe";
import type { Deps } from "#server/app/deps.ts";
import {
  ProviderRefused,
  type Channel,
  type Checkout,
  type NotifyRequest,
  type Order,
  type PaymentEvent,
  type ProviderReply,
} from "#server/domains/payments/channel.ts";
import { recordsUrl } from "#server/domains/payments/pay-html.ts";
import { tagOf } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import { MINUTE_MS, toSeconds } from "#shared/time.ts";
import { stripeLimits, toStripe } from "./amounts.ts";
import { EVENTS, paymentEventsOf, eventsOfSession } from "./payment-events.ts";

/** The most events in memory at a time. */
const MOST_EVENTS = 5_000;

/** A checkout expires so long after it is made at the earliest. With its order, it is expired sooner. */
const LEAST_MS = 30 * MINUTE_MS;

type Checkouts = Pick<Stripe, "checkout" | "events" | "paymentIntents" | "refunds" | "webhooks">;

/** Cards and the other methods of Stripe Checkout. Its page may not be framed. */
export class StripeChannel implements Channel {
  readonly code = "stripe";
  readonly #deps: Deps;
  readonly #stripe: Checkouts;
  readonly #webhookSecret: string;
  readonly #refusals: Refusals;

  constructor(deps: Deps, stripe: Checkouts, webhookSecret: string, refusals: Refusals) {
    this.#deps = deps;
    this.#stripe = stripe;
    this.#webhookSecret = webhookSecret;
    this.#refusals = refusals;
  }

  limits(unit: string): { least: Money; most: Money } | null {
    return stripeLimits(unit);
  }

  async prepare(order: Order): Promise<Checkout> {
    const { id, url } = await this.#withRefusals(() => this.#create(order));
    if (url === null) throw new Error(`the checkout ${id} has no page`);
    return { page: url, opens: "redirect", reference: id };
  }

  async notify({ method, headers, rawBody }: NotifyRequest): Promise<{ events: PaymentEvent[]; reply: ProviderReply }> {
    const signature = headers["stripe-signature"];
    if (method !== "POST" || typeof signature !== "string") throw new Refusal("payment.unsigned");
    const now = this.#deps.clock.now();
    let event: Stripe.Event;
    try {
      const { webhooks } = this.#stripe;
      const args = [rawBody, signature, this.#webhookSecret, undefined, undefined, now] as const;
      event = await webhooks.constructEventAsync(...args);
    } catch {
      throw new Refusal("payment.unsigned");
    }
    return { events: await paymentEventsOf(event, (payment) => this.#orderOf(payment)), reply: RECEIVED };
  }

  /** Stripe resends for days what gets no 2xx reply. Only an unsigned notification gets none. */
  refused(reason: RefusalReason): ProviderReply {
    return reason === "payment.unsigned" ? { status: 400, body: reason } : RECEIVED;
  }

  async query(order: Order): Promise<PaymentEvent[]> {
    const session = await this.#sessionOf(order);
    if (session?.status !== "open") return session ? eventsOfSession(session) : [];
    // The order has expired, so the page must not stay payable.
    const expired = await this.#unlessRefused(() => this.#stripe.checkout.sessions.expire(session.id));
    return eventsOfSession(expired ?? (await this.#stripe.checkout.sessions.retrieve(session.id)));
  }

  recent(since: number): AsyncGenerator<PaymentEvent> {
    return this.#between(toSeconds(since), toSeconds(this.#deps.clock.now() + MINUTE_MS));
  }

  /** The news of some seconds, oldest first. Of too much, the older half of the time is read by itself. */
  async *#between(from: number, to: number): AsyncGenerator<PaymentEvent> {
    const newestFirst = await this.#list(from, to);
    if (newestFirst === null) {
      const middle = Math.floor((from + to) / 2);
      yield* this.#between(from, middle);
      yield* this.#between(middle, to);
      return;
    }
    for (const event of newestFirst.toReversed())
      yield* await paymentEventsOf(event, (payment) => this.#orderOf(payment));
  }

  /** As Stripe lists them, newest first; null where there are too many, unless they are of one second. */
  async #list(from: number, to: number): Promise<Stripe.Event[] | null> {
    const events: Stripe.Event[] = [];
    for await (const event of this.#stripe.events.list({ created: { gte: from, lt: to }, types: EVENTS, limit: 100 })) {
      events.push(event);
      if (events.length > MOST_EVENTS && to - from > 1) return null;
    }
    return events;
  }

  async refund(order: Order, _amount: Money, failed: number): Promise<void> {
    await this.#withRefusals(async () => {
      const session = await this.#sessionOf(order);
      const payment = session?.payment_intent;
      if (!payment) throw new ProviderRefused("nothing was paid");
      const payment_intent = typeof payment === "string" ? payment : payment.id;
      // Under the key of one that failed, Stripe would answer with that one again.
      const idempotencyKey = `refund_${order.orderNo}${failed > 0 ? `_${failed}` : ""}`;
      await this.#stripe.refunds.create({ payment_intent, metadata: { order: order.orderNo } }, { idempotencyKey });
    });
  }

  /** Idempotent: everything here follows from the order alone, so a retry gets the same checkout. */
  #create({ orderNo, amount, fee, unit, locale, expiresAt }: Order): Promise<Stripe.Checkout.Session> {
    const { text } = this.#deps;
    const item = (name: string, price: Money) => ({
      quantity: 1,
      price_data: { currency: unit.toLowerCase(), unit_amount: toStripe(price, unit), product_data: { name } },
    });
    const items = [item(text(locale, "entry.deposit"), amount)];
    if (fee > 0) items.push(item(text(locale, "pay.fee"), fee));
    const metadata = { order: orderNo };
    const back = recordsUrl(this.#deps);
    return this.#stripe.checkout.sessions.create(
      {
        mode: "payment",
        client_reference_id: orderNo,
        metadata,
        payment_intent_data: { metadata },
        line_items: items,
        locale: localeOf(locale),
        success_url: back,
        cancel_url: back,
        // Half an hour ahead is the least that Stripe allows: it can be made for as long as the order is open.
        expires_at: toSeconds(expiresAt + LEAST_MS),
      },
      { idempotencyKey: `order_${orderNo}` },
    );
  }

  /** The order's checkout. If the reply to its creation was lost, creating it again finds it. Null where there is none. */
  #sessionOf(order: Order): Promise<Stripe.Checkout.Session | null> {
    const { reference } = order;
    if (reference !== null) return this.#stripe.checkout.sessions.retrieve(reference);
    return this.#unlessRefused(() => this.#create(order));
  }

  async #orderOf(payment: string): Promise<string | null> {
    const { metadata } = await this.#stripe.paymentIntents.retrieve(payment);
    return metadata.order ?? null;
  }

  async #unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (this.#refusals.some((refusal) => error instanceof refusal)) return null;
      throw error;
    }
  }

  async #withRefusals<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isRefusal = this.#refusals.some((refusal) => error instanceof refusal);
      throw isRefusal ? new ProviderRefused((error as Error).message, { cause: error }) : error;
    }
  }
}

type Refusals = readonly (new (...args: never[]) => Error)[];

const RECEIVED: ProviderReply = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"received":true}',
};

/** Stripe's name of a language. It knows all of ours, but calls Simplified Chinese `zh`. */
function localeOf(locale: Order["locale"]): Stripe.Checkout.SessionCreateParams.Locale {
  const tag = tagOf(locale);
  return tag === "zh-CN" ? "zh" : tag;
}
