/** A burst, and a steady rate after it. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** A token bucket: a burst, then a steady rate per second. */
export class TokenBucket {
  readonly #rate: Rate;
  #left: number;
  #at = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#left = rate.burst;
  }

  take(nowMs: number): boolean {
    const refill = ((nowMs - this.#at) / 1000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, this.#left + Math.max(0, refill));
    this.#at = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}

/** So many clients are remembered. Whoever came longest ago is forgotten first, and begins with a full bucket. */
const MOST_REMEMBERED = 10_000;

/** A token bucket for each client. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #most: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rate: Rate, most = MOST_REMEMBERED) {
    [this.#rate, this.#most] = [rate, most];
  }

  take(client: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(client) ?? new TokenBucket(this.#rate);
    // A map keeps its order: whoever comes now is the last.
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > this.#most) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket.take(nowMs);
  }
}
