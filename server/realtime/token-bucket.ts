/** Lets through a burst, and then so many a second. */
export class Bucket {
  readonly #size: number;
  readonly #perSecond: number;
  #left: number;
  #at = 0;

  constructor(size: number, perSecond: number) {
    this.#size = size;
    this.#perSecond = perSecond;
    this.#left = size;
  }

  take(nowMs: number): boolean {
    const refill = ((nowMs - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#size, this.#left + Math.max(0, refill));
    this.#at = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
