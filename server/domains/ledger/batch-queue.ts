import { Refusal } from "#shared/refusal.ts";

/** With this many waiting, a refusal now is better than a late answer. */
const LONGEST_QUEUE = 20_000;

interface Waiting<Q, A> {
  order: Q;
  /** On the clock of `performance`. */
  since: number;
  resolve(answer: A | PromiseLike<A>): void;
  reject(error: unknown): void;
}

interface Batching<Q, A> {
  /** The most orders of one batch. */
  largest: number;
  /** How many batches it is worth sending at once. */
  lanes: number;
  /** A batch holds one order of each. Without it, orders are independent. */
  ownerOf?: (order: Q) => number;
  /**
   * The answer to each order, or undefined where it has to wait for the next batch; the first always has one. The next batch
   * waits for no promise. `waitedMs` is how long the first order has waited.
   */
  place(orders: Q[], waitedMs: number): Promise<(A | PromiseLike<A> | undefined)[]>;
}

/**
 * Queues orders and places them in batches. The next batch starts as soon as one returns, with all orders that came
 * meanwhile; an order that comes alone never waits. An owner's orders keep their order.
 */
export class BatchQueue<Q, A> {
  readonly #batching: Batching<Q, A>;
  #waiting: Waiting<Q, A>[] = [];
  /** Batches in flight. */
  #underWay = 0;
  /** The size of the next batch: less than the largest while orders had to wait for another one. */
  #size: number;

  constructor(batching: Batching<Q, A>) {
    this.#batching = batching;
    this.#size = batching.largest;
  }

  /** How many orders wait for a batch. */
  get length(): number {
    return this.#waiting.length;
  }

  place(order: Q): Promise<A> {
    if (this.#waiting.length >= LONGEST_QUEUE) throw new Refusal("server.away", { retryAfterS: 1 });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, since: performance.now(), resolve, reject });
      // Where others wait, a batch is about to be gathered, or as many as there are lanes are under way.
      if (this.#waiting.length === 1) void this.#gather();
    });
  }

  async #gather(): Promise<void> {
    // Requests of the same iteration of the event loop share the first batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0 && this.#underWay < this.#batching.lanes) void this.#work();
  }

  async #work(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        const waitedMs = performance.now() - batch[0]!.since;
        const orders = batch.map(({ order }) => order);
        const answers = await this.#batching.place(orders, waitedMs);
        const later = batch.filter(({ resolve }, i) => {
          const answer = answers[i];
          if (answer !== undefined) resolve(answer);
          return answer === undefined;
        });
        this.#waiting.unshift(...later);
        this.#size = later.length > 0 ? batch.length - later.length : Math.min(this.#size * 2, this.#batching.largest);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#underWay--;
  }

  #take(): Waiting<Q, A>[] {
    const { ownerOf } = this.#batching;
    if (!ownerOf) return this.#waiting.splice(0, this.#size);
    const batch = new Map<number, Waiting<Q, A>>();
    this.#waiting = this.#waiting.filter((one) => {
      const owner = ownerOf(one.order);
      if (batch.size >= this.#size || batch.has(owner)) return true;
      batch.set(owner, one);
      return false;
    });
    return [...batch.values()];
  }
}
