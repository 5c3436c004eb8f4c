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

/** A semaphore for each key. One that is idle is forgotten. */
export class Semaphores<K> {
  readonly #places: number;
  readonly #mostWaiting: number;
  readonly #ofKeys = new Map<K, Semaphore>();

  constructor(places: number, mostWaiting: number) {
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  /** How many keys somebody has a slot of. */
  get size(): number {
    return this.#ofKeys.size;
  }

  /** Takes a slot of the key, as `Semaphore` does. */
  async acquire(key: K): Promise<() => void> {
    const own = this.#ofKeys.get(key) ?? new Semaphore(this.#places, this.#mostWaiting);
    this.#ofKeys.set(key, own);
    const leave = await own.acquire();
    return () => {
      leave();
      if (own.isIdle) this.#ofKeys.delete(key);
    };
  }
}
