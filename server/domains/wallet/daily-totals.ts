import { setImmediate } from "node:timers/promises";
import type { Tx } from "#db/db.ts";
import { readJournal, readUnindexed } from "#server/domains/ledger/journal.ts";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import { HOUR_MS } from "#shared/time.ts";
import { indexedSums, newestSums, type DaySum } from "./day-sums.ts";

/** So many rows at a time, a few milliseconds; whoever else waits for this thread goes between. */
const PIECE = 1_000;
/** Members whose sums are kept in mind. */
const MOST = 500;
/** Servers' clocks may differ by less than this. */
const LENIENCE_MS = HOUR_MS;

export type Days = Map<number, DaySum>;

/** What a member's rows up to a version came to. They never change, so it is worked out once. */
interface Known {
  to: number;
  days: Days;
}

/** Members' figures by UTC day, from their rows in the ledger; only those that are new since the last time are read. */
export class DailyTotals {
  readonly #known = new Map<number, Known>();

  /** The sums of every day since a moment, as they stand now. Earlier days may be there in part. */
  async read(read: Tx, memberId: number, since: number): Promise<Days> {
    // In this order: whatever is not among the open bets, and not newer than the version, is indexed by now.
    const version = await readVersion(read, memberId);
    const open = await readUnindexed(read, memberId);
    const newest = Math.min(version + 1, ...open.map((bet) => bet.version));
    const known = this.#known.get(memberId) ?? {
      to: await versionBefore(read, memberId, since, newest),
      days: new Map(),
    };
    const days = new Map(known.days);
    for (let first = known.to + 1; first < newest; first += PIECE) {
      const last = Math.min(first + PIECE, newest) - 1;
      add(days, await indexedSums(read).execute({ member: memberId, first, last }));
      await setImmediate();
    }
    this.#keep(memberId, { to: Math.max(known.to, newest - 1), days });
    const all = new Map(days);
    add(all, await newestSums(read).execute({ member: memberId, first: Math.max(known.to + 1, newest) }));
    return all;
  }

  #keep(memberId: number, known: Known): void {
    this.#known.delete(memberId);
    this.#known.set(memberId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}

function add(days: Days, rows: readonly DaySum[]): void {
  for (const { day, staked, won, deposited } of rows) {
    const sum = days.get(day) ?? { day, staked: 0, won: 0, deposited: 0 };
    days.set(day, {
      day,
      staked: sum.staked + staked,
      won: sum.won + won,
      deposited: sum.deposited + deposited,
    });
  }
}

/** The last version before a moment: rows are in the order of time, so it is found by halving. */
async function versionBefore(read: Tx, memberId: number, moment: number, newest: number): Promise<number> {
  let [before, after] = [0, newest];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const [row] = await readJournal(read, memberId, middle, middle);
    if (row && row.at < moment - LENIENCE_MS) before = middle;
    else after = middle;
  }
  return before;
}
