import type { Deps } from "#server/app/deps.ts";
import type { Channels } from "#server/domains/payments/channels.ts";
import { collectAllDebts } from "#server/domains/payments/debts.ts";
import { reconcile } from "#server/domains/payments/reconcile.ts";

const EVERY_MS = 5_000;

/** Expires orders, finds payments without a notification, and collects debts. A slow channel holds up no other. */
export class PaymentClock {
  readonly #deps: Deps;
  readonly #channels: Channels;

  constructor(deps: Deps, channels: Channels) {
    this.#deps = deps;
    this.#channels = channels;
  }

  async tick(): Promise<number> {
    await collectAllDebts(this.#deps);
    const done = await Promise.allSettled(this.#channels.all.map((channel) => reconcile(this.#deps, channel)));
    for (const one of done) if (one.status === "rejected") throw one.reason;
    return EVERY_MS;
  }
}
