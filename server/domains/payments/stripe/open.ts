import type { ReadSecret } from "#server/app/deps.ts";
import type { ChannelKind } from "#server/domains/payments/channel.ts";
import { StripeChannel } from "./stripe.ts";

/** Timeout of one attempt. The library retries twice, under the same idempotency key. */
const TIME_LIMIT_MS = 5_000;
const MORE_TRIES = 2;

/**
 * `STRIPE_SECRET_KEY` and `STRIPE_WEBHOOK_SECRET`, each also as a file (`…_FILE`). `STRIPE_URL` replaces
 * Stripe's own address, such as by a server for tests.
 */
function read(secret: ReadSecret) {
  const [key, webhookSecret] = [secret("STRIPE_SECRET_KEY"), secret("STRIPE_WEBHOOK_SECRET")];
  if (key === undefined && webhookSecret === undefined) return null;
  if (key === undefined || webhookSecret === undefined)
    throw new Error("Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.");
  const url = secret("STRIPE_URL") ?? "https://api.stripe.com";
  if (!URL.canParse(url)) throw new Error("STRIPE_URL must be an address.");
  return { key, webhookSecret, url: new URL(url) };
}

export const stripe: ChannelKind = {
  code: "stripe",
  isTried: false,
  isConfigured: (secret) => read(secret) !== null,
  async open(deps, secret) {
    const { key, webhookSecret, url } = read(secret)!;
    const { protocol, hostname, port } = url;
    const { Stripe } = await import("stripe");
    const api = new Stripe(key, {
      host: hostname,
      protocol: protocol === "http:" ? "http" : "https",
      ...(port && { port }),
      timeout: TIME_LIMIT_MS,
      maxNetworkRetries: MORE_TRIES,
      telemetry: false,
    });
    const { StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError } = Stripe.errors;
    const refusals = [StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError];
    return new StripeChannel(deps, api, webhookSecret, refusals);
  },
};
