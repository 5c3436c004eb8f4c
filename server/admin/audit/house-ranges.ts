import { and, asc, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { houseEntries, isOfBets } from "#db/schema/index.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

/** The house's entry of one commit of bets; its number is that of the first bet. */
interface Entry {
  id: number;
  entry: number;
  toId: number;
  amount: number;
}

/** Holds every bet against the house's entry of its commit: each is in one, and an entry sums its own bets. */
export class HouseRanges {
  readonly #entries: AsyncGenerator<Entry>;
  readonly #found: Findings;
  #now: (Entry & { sum: number }) | undefined;

  constructor(read: Tx, found: Findings) {
    const page = (after: number, limit: number) =>
      read
        .select({
          id: houseEntries.fromId,
          entry: houseEntries.id,
          toId: houseEntries.toId,
          amount: houseEntries.amount,
        })
        .from(houseEntries)
        .where(and(isOfBets, gt(houseEntries.fromId, after)))
        .orderBy(asc(houseEntries.fromId))
        .limit(limit);
    this.#entries = inPages(page);
    this.#found = found;
  }

  /** Bets come in the order of their numbers. */
  async add(bet: { id: number; total: number }): Promise<void> {
    if (!this.#now) await this.#next();
    while (this.#now && bet.id > this.#now.toId) await this.#next();
    if (this.#now && bet.id >= this.#now.id) this.#now.sum += bet.total;
    else this.#found.check(false, () => `bet ${bet.id} is in no house entry`);
  }

  /** After the last bet; there may have been none. */
  async end(): Promise<void> {
    this.#compare();
    for await (const entry of this.#entries) {
      this.#now = { ...entry, sum: 0 };
      this.#compare();
    }
  }

  async #next(): Promise<void> {
    this.#compare();
    const { done, value } = await this.#entries.next();
    this.#now = done ? undefined : { ...value, sum: 0 };
  }

  /** After the last bet of an entry. */
  #compare(): void {
    if (!this.#now) return;
    const { entry, amount, id, toId, sum } = this.#now;
    this.#found.check(amount === sum, () => `house entry ${entry} is ${amount}, its bets ${id} to ${toId} are ${sum}`);
  }
}
