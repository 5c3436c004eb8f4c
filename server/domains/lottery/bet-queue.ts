import { Refusal } from "#shared/refusal.ts";
import type { BetAnswer, BetBook, BetOrder } from "./bet-book.ts";

/** The most bets of one commit. */
const LARGEST_BATCH = 512;
/** With this many waiting, a refusal now is better than a late bet. */
const LONGEST_QUEUE = 20_000;

interface Waiting {
  order: BetOrder;
  resolve(answer: BetAnswer): void;
  reject(error: unknown): void;
}

/**
 * Queues bets and places them in batches. The next batch starts as soon as one returns, with all bets that came
 * meanwhile; a bet that comes alone never waits.
 */
export class BetQueue {
  readonly #book: BetBook;
  #waiting: Waiting[] = [];
  #gathering = false;
  /** Batches in flight. */
  #underWay = 0;

  constructor(book: BetBook) {
    this.#book = book;
  }

  place(order: BetOrder): Promise<BetAnswer> {
    if (this.#waiting.length >= LONGEST_QUEUE) throw new Refusal("server.away", { retryAfterS: 1 });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, resolve, reject });
      if (!this.#gathering && this.#underWay < this.#book.lanes) void this.#gather();
    });
  }

  async #gather(): Promise<void> {
    this.#gathering = true;
    // Requests of the same iteration of the event loop share the first batch.
    await new Promise(setImmediate);
    this.#gathering = false;
    while (this.#waiting.length > 0 && this.#underWay < this.#book.lanes) void this.#work();
  }

  async #work(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST_BATCH);
      try {
        const answers = await this.#book.place(batch.map(({ order }) => order));
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#underWay--;
  }
}
