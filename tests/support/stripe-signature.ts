import { Stripe } from "stripe";
import { STRIPE_KEY } from "./stripe-server.ts";

export const WEBHOOK_SECRET = "whsec_of_these_tests";

const { webhooks } = new Stripe(STRIPE_KEY);

/** The signature header that Stripe's own library makes for a body. */
export const signedByStripe = (payload: string, ms: number, secret = WEBHOOK_SECRET): string =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(ms / 1000) });
