import type { Deps } from "#server/app/deps.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { Refusal } from "#shared/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";

/** Refused notifications of a client in a minute, before further ones are not read. A provider's own are signed. */
const MOST_REFUSED = 30;

/** Limits notifications that nobody signed, and logs refused ones once a minute. Each process counts alone. */
export class UnsignedLimit {
  readonly #deps: Pick<Deps, "clock" | "log">;
  readonly #byClient = new Map<string, number>();
  #since = 0;
  #isLogged = false;
  #unlogged = 0;

  constructor(deps: Pick<Deps, "clock" | "log">) {
    this.#deps = deps;
  }

  /** Refuses a client with too many refused notifications. */
  check(ip: string): void {
    const left = this.#beginMinute();
    if ((this.#byClient.get(clientKey(ip)) ?? 0) < MOST_REFUSED) return;
    throw new Refusal("attempts.many", { retryAfterS: Math.ceil(left / SECOND_MS) });
  }

  count(ip: string, about: { channel: string; reason: string }): void {
    this.#beginMinute();
    const client = clientKey(ip);
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1);
    if (this.#isLogged) return void this.#unlogged++;
    this.#isLogged = true;
    this.#deps.log.warn({ ...about, client, unlogged: this.#unlogged }, "a notification was refused");
    this.#unlogged = 0;
  }

  /** Returns how long the minute still lasts. */
  #beginMinute(): number {
    const now = this.#deps.clock.now();
    if (now - this.#since >= MINUTE_MS || now < this.#since) {
      this.#since = now;
      this.#byClient.clear();
      this.#isLogged = false;
    }
    return this.#since + MINUTE_MS - now;
  }
}
