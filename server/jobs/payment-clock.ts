import type { Deps } from "#server/app/deps.ts";
import type { Channels } from "#server/domains/payments/channels.ts";
import { collectDebts, listOwing } from "#server/domains/payments/debts.ts";
import { readLooks } from "#server/domains/payments/looks.ts";
import { lapseOrphans, reconcile } from "#server/domains/payments/reconcile.ts";
import { Retries } from "./retries.ts";

const EVERY_MS = 5_000;
/** Members whose debts one turn collects. */
const MOST_OWING = 50;

/**
 * Expires orders, finds payments without a notification, and collects debts. A slow channel holds up no other, nor does a
 * member whose debt cannot be collected.
 */
export class PaymentClock {
  readonly #deps: Deps;
  readonly #channels: Channels;
  readonly #retries: Retries;

  constructor(deps: Deps, channels: Channels) {
    this.#deps = deps;
    this.#channels = channels;
    this.#retries = new Retries(deps);
  }

  async tick(): Promise<number> {
    await this.#collectDebts();
    const { all } = this.#channels;
    const done = await Promise.allSettled([
      ...all.map((channel) => reconcile(this.#deps, channel)),
      lapseOrphans(
        this.#deps,
        all.map(({ code }) => code),
      ),
    ]);
    for (const one of done) if (one.status === "rejected") throw one.reason;
    return EVERY_MS;
  }

  async #collectDebts(): Promise<void> {
    const { db } = this.#deps;
    for (const id of await listOwing(db.read, MOST_OWING))
      await this.#retries.run(`collect debts of member ${id}`, () =>
        db.transact((tx) => collectDebts(tx, this.#deps, id)),
      );
  }

  /** How long ago each channel's payments were last compared with our orders, of those that can be asked for theirs. */
  async unseen(): Promise<(readonly [channel: string, ms: number])[]> {
    const { db, clock } = this.#deps;
    const looks = await readLooks(db.read);
    return this.#channels.all
      .filter(({ code, recent }) => recent !== undefined && looks.has(code))
      .map(({ code }) => [code, Math.max(0, clock.now() - looks.get(code)!)]);
  }
}
