import type { OpenChannel } from "#server/domains/payments/channel.ts";
import { StripeChannel } from "./stripe.ts";

/** One try may take so long; the library tries twice more, under the same idempotency key. */
const TIME_LIMIT_MS = 5_000;
const MORE_TRIES = 2;

/**
 * `STRIPE_SECRET_KEY` and `STRIPE_WEBHOOK_SECRET`, each also as a file (`…_FILE`). `STRIPE_URL` is another address than
 * Stripe's own, such as a server for tests.
 */
export const openStripe: OpenChannel = async (deps, secret) => {
  const [key, webhookSecret] = [secret("STRIPE_SECRET_KEY"), secret("STRIPE_WEBHOOK_SECRET")];
  if (key === undefined && webhookSecret === undefined) return null;
  if (key === undefined || webhookSecret === undefined)
    throw new Error("Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.");
  const { Stripe } = await import("stripe");
  const { protocol, hostname, port } = new URL(secret("STRIPE_URL") ?? "https://api.stripe.com");
  const stripe = new Stripe(key, {
    host: hostname,
    protocol: protocol === "http:" ? "http" : "https",
    ...(port && { port }),
    timeout: TIME_LIMIT_MS,
    maxNetworkRetries: MORE_TRIES,
    telemetry: false,
  });
  const { StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  const refusals = [StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError];
  return new StripeChannel(deps, stripe, webhookSecret, refusals);
};
