import { Refusal } from "#shared/refusal.ts";

/** A semaphore with a bounded queue: beyond the slots requests wait, and beyond the queue they are refused. */
export class Semaphore {
  #free: number;
  readonly #places: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number, mostWaiting: number) {
    this.#free = places;
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  /** Nobody has a slot or waits for one. */
  get isIdle(): boolean {
    return this.#free === this.#places;
  }

  /** Takes a slot. Returns its release, which works once, however often it is called. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length < this.#mostWaiting) await new Promise<void>((enter) => this.#waiting.push(enter));
    else throw new Refusal("attempts.many", { retryAfterS: 5 });
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }
}
