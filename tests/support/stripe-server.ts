import type { Stripe } from "stripe";
import { ProviderServer, type Answer, type ProviderRequest } from "./provider-server.ts";

/*
 * As much of Stripe as a checkout needs. Shapes: the types of the `stripe` package (resources/Checkout/Sessions.d.ts,
 * Refunds.d.ts, Disputes.d.ts, Events.d.ts, PaymentIntents.d.ts); what happens when: https://docs.stripe.com/payments/checkout/fulfillment,
 * https://docs.stripe.com/disputes/how-disputes-work and https://docs.stripe.com/api/idempotent_requests.
 */

type Read = "amount_total" | "client_reference_id" | "currency" | "expires_at" | "metadata" | "payment_intent";
type Shown = "id" | "object" | "payment_status" | "status" | "success_url" | "url";
export type Session = Pick<Stripe.Checkout.Session, Read | Shown>;
type Refund = Pick<Stripe.Refund, "id" | "object" | "amount" | "currency" | "payment_intent" | "status" | "metadata">;
type Dispute = Pick<Stripe.Dispute, "id" | "object" | "amount" | "currency" | "payment_intent" | "status">;
export type StripeEvent = {
  id: string;
  object: "event";
  created: number;
  type: string;
  data: { object: Session | Refund | Dispute };
};

export const STRIPE_KEY = "sk_test_of_these_tests";

export class StripeServer extends ProviderServer {
  readonly sessions = new Map<string, Session>();
  readonly events: StripeEvent[] = [];
  readonly refunds: Refund[] = [];
  /** The longest page of a list: shorter than Stripe's, so that there are several. */
  longestPage = 2;
  /** Each idempotency key's request and answer. */
  readonly #known = new Map<string, { asked: string; answer: Answer }>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** The checkout of an order. */
  of(orderNo: string): Session {
    return [...this.sessions.values()].find((one) => one.client_reference_id === orderNo)!;
  }

  /** A payer pays on the page; `unpaid` by a method that takes days. */
  pay(orderNo: string, payment_status: "paid" | "unpaid" = "paid"): StripeEvent {
    const session = this.of(orderNo);
    Object.assign(session, { status: "complete", payment_status, payment_intent: `pi_${session.id}`, url: null });
    return this.#say("checkout.session.completed", session);
  }

  /** A payment that took days has succeeded, or failed. */
  arrive(orderNo: string, ok = true): StripeEvent {
    const session = this.of(orderNo);
    if (ok) Object.assign(session, { payment_status: "paid" });
    return this.#say(`checkout.session.async_payment_${ok ? "succeeded" : "failed"}`, session);
  }

  expire(orderNo: string): StripeEvent {
    const session = Object.assign(this.of(orderNo), { status: "expired", url: null });
    return this.#say("checkout.session.expired", session);
  }

  /** The operator refunds on Stripe's own pages. */
  refund(orderNo: string, amount = this.of(orderNo).amount_total!): StripeEvent {
    return this.#say("refund.created", this.#refundOf(this.of(orderNo), amount));
  }

  failRefund(id: string): StripeEvent {
    const refund = Object.assign(
      this.refunds.find((one) => one.id === id)!,
      { status: "failed" },
    );
    return this.#say("refund.failed", refund);
  }

  /** The payer's bank takes the money back; `won` returns it again. */
  dispute(orderNo: string, won = false): StripeEvent {
    const { id, amount_total, currency, payment_intent } = this.of(orderNo);
    const status = won ? ("won" as const) : ("needs_response" as const);
    const sums = { amount: amount_total!, currency: currency!, payment_intent, status };
    const type = `charge.dispute.funds_${won ? "reinstated" : "withdrawn"}`;
    return this.#say(type, { id: `du_${id}`, object: "dispute", ...sums });
  }

  /** The operator's other shop sells something each second from now on. */
  sellElsewhere(times: number): void {
    const created = Math.floor(this.#now() / 1000);
    for (let i = 0; i < times; i++) {
      const id = `cs_other_${++this.#count}`;
      const session = { id, object: "checkout.session", client_reference_id: null, status: "complete" } as Session;
      const event = { id: `evt_${id}`, object: "event", type: "checkout.session.completed" } as const;
      this.events.push({ ...event, created: created + i, data: { object: session } });
    }
  }

  handle(request: ProviderRequest): Answer {
    const { method, path, query, headers } = request;
    if (headers["authorization"] !== `Bearer ${STRIPE_KEY}`) return no(401, "authentication_error");
    const [, kind, id, verb] =
      /^\/v1\/(checkout\/sessions|payment_intents|refunds|events)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (method === "POST" && !id)
      return this.#once(request, () => (kind === "refunds" ? this.#giveBack(request) : this.#make(request)));
    if (kind === "events") return this.#list(query);
    if (kind === "payment_intents") {
      const order = [...this.sessions.values()].find(
        ({ payment_intent }) => payment_intent === id,
      )?.client_reference_id;
      return { body: { id, object: "payment_intent", metadata: order ? { order } : {} } };
    }
    const session = this.sessions.get(id!);
    if (!session) return no(404, "invalid_request_error");
    if (verb === "expire") {
      if (session.status !== "open") return no(400, "invalid_request_error");
      this.expire(session.client_reference_id!);
    }
    return { body: session };
  }

  /** The same idempotency key returns the same answer; another request under it is an error. */
  #once({ headers, body }: ProviderRequest, work: () => Answer): Answer {
    const key = String(headers["idempotency-key"]);
    const known = this.#known.get(key);
    if (known) return known.asked === body ? known.answer : no(400, "idempotency_error");
    const answer = work();
    if ((answer.status ?? 200) === 200) this.#known.set(key, { asked: body, answer });
    return answer;
  }

  #make({ body }: ProviderRequest): Answer {
    const form = new URLSearchParams(body);
    const expires_at = Number(form.get("expires_at"));
    if (expires_at < this.#now() / 1000 + 1_800) return no(400, "invalid_request_error");
    let amount_total = 0;
    for (let i = 0; form.has(`line_items[${i}][quantity]`); i++)
      amount_total += Number(form.get(`line_items[${i}][price_data][unit_amount]`));
    const id = `cs_test_${++this.#count}`;
    const session: Session = {
      id,
      object: "checkout.session",
      amount_total,
      client_reference_id: form.get("client_reference_id"),
      currency: form.get("line_items[0][price_data][currency]"),
      expires_at,
      metadata: { order: form.get("metadata[order]")! },
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      success_url: form.get("success_url"),
      url: `${this.url}/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    return { body: session };
  }

  #giveBack({ body }: ProviderRequest): Answer {
    const form = new URLSearchParams(body);
    const session = [...this.sessions.values()].find((one) => one.payment_intent === form.get("payment_intent"));
    if (!session) return no(400, "invalid_request_error");
    const refund = this.#refundOf(session, session.amount_total!);
    this.#say("refund.created", refund);
    return { body: refund };
  }

  #refundOf({ currency, payment_intent }: Session, amount: number): Refund {
    const id = `re_test_${++this.#count}`;
    const refund: Refund = {
      id,
      object: "refund",
      amount,
      currency: currency!,
      payment_intent,
      status: "succeeded",
      metadata: {},
    };
    this.refunds.push(refund);
    return refund;
  }

  /** Newest first, in pages. */
  #list(query: URLSearchParams): Answer {
    const [since, until] = [Number(query.get("created[gte]")), Number(query.get("created[lt]") ?? Infinity)];
    const isIn = ({ created, type }: StripeEvent) =>
      created >= since && created < until && typesOf(query).includes(type);
    const fit = this.events.filter(isIn).reverse();
    const after = fit.findIndex(({ id }) => id === query.get("starting_after"));
    const data = fit.slice(after + 1, after + 1 + Math.min(this.longestPage, Number(query.get("limit"))));
    return { body: { object: "list", url: "/v1/events", has_more: after + 1 + data.length < fit.length, data } };
  }

  #say(type: string, subject: StripeEvent["data"]["object"]): StripeEvent {
    const created = Math.floor(this.#now() / 1000);
    const event = {
      id: `evt_test_${++this.#count}`,
      object: "event",
      created,
      type,
      data: { object: { ...subject } },
    } as const;
    this.events.push(event);
    return event;
  }
}

const typesOf = (query: URLSearchParams) =>
  [...query].filter(([name]) => name.startsWith("types[")).map(([, type]) => type);

const no = (status: number, type: string): Answer => ({ status, body: { error: { type, message: "no" } } });
