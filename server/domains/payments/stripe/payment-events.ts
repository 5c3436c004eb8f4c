import type { Stripe } from "stripe";
import type { PaymentEvent } from "#server/domains/payments/channel.ts";
import { fromStripe } from "./amounts.ts";

/** The events that concern orders. The webhook endpoint is created with these. */
export const EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
];

/** Finds the order of a payment; null for a payment that is not ours. */
type OrderOf = (paymentIntent: string) => Promise<string | null>;

/** The news in an event; none when it concerns something else. */
export async function paymentEventsOf(event: Stripe.Event, orderOf: OrderOf): Promise<PaymentEvent[]> {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.expired":
      return eventsOfSession(event.data.object);
    case "checkout.session.async_payment_failed": {
      const orderNo = event.data.object.client_reference_id;
      return orderNo === null ? [] : [{ kind: "failed", orderNo }];
    }
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return eventsOfRefund(event.data.object, orderOf);
    case "charge.dispute.funds_withdrawn":
      return eventsOfReturn(event.data.object, "returned", "dispute", orderOf);
    case "charge.dispute.funds_reinstated":
      return eventsOfReturn(event.data.object, "restored", "dispute", orderOf);
    default:
      return [];
  }
}

/** The news in a checkout's state; none while it is open. */
export function eventsOfSession(session: Stripe.Checkout.Session): PaymentEvent[] {
  const { client_reference_id: orderNo, status, payment_status, amount_total, currency } = session;
  if (orderNo === null) return [];
  if (status === "expired") return [{ kind: "failed", orderNo }];
  if (status !== "complete" || amount_total === null || currency === null) return [];
  if (payment_status === "unpaid") return [{ kind: "pending", orderNo }];
  const unit = currency.toUpperCase();
  return [{ kind: "paid", orderNo, amount: fromStripe(amount_total, unit), unit }];
}

/** A refund counts as soon as it is created. If it fails or is cancelled, it is undone. */
function eventsOfRefund(refund: Stripe.Refund, orderOf: OrderOf): Promise<PaymentEvent[]> {
  const isUndone = refund.status === "failed" || refund.status === "canceled";
  return eventsOfReturn(refund, isUndone ? "restored" : "returned", "refund", orderOf);
}

async function eventsOfReturn(
  { id, amount, currency, payment_intent }: Pick<Stripe.Refund, "id" | "amount" | "currency" | "payment_intent">,
  kind: "returned" | "restored",
  why: "refund" | "dispute",
  orderOf: OrderOf,
): Promise<PaymentEvent[]> {
  if (payment_intent === null) return [];
  const orderNo = await orderOf(typeof payment_intent === "string" ? payment_intent : payment_intent.id);
  if (orderNo === null) return [];
  const unit = currency.toUpperCase();
  return [{ kind, why, orderNo, reference: id, amount: fromStripe(amount, unit), unit }];
}
