import type { TransactionTurn } from "./db.ts";

/**
 * Those who wait for something that only so many may do at once. Whoever goes first again and again, one turn after the
 * other, leaves every second turn to the others.
 */
export class Turns {
  readonly #most: number;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs `work` in its turn. */
  async take<T>(turn: TransactionTurn, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running++;
    else await new Promise<void>((resolve) => (turn === "first" ? this.#first : this.#others).push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#first.shift() ?? this.#others.shift();
      // Whoever is next takes this place over, so that nobody slips in between.
      if (next) next();
      else this.#running--;
    }
  }
}
