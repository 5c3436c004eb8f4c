import { setImmediate } from "node:timers/promises";
import type { Tx } from "#db/db.ts";
import { readJournal, readUnindexed } from "#server/domains/ledger/journal.ts";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import { HOUR_MS } from "#shared/time.ts";
import { indexedSums, newestSums, type DaySum } from "./day-sums.ts";

/** Rows per page: a few milliseconds, after which this thread runs other requests. */
const PIECE = 1_000;
/** Members in the cache. */
const MOST = 500;
/** Servers' clocks differ by less than this. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

export type Days = Map<number, DaySum>;

/** The sums of a member's rows up to a version. The rows never change, so the sums are cached. */
interface CachedDays {
  to: number;
  days: Days;
}

/** Members' figures by UTC day, from their rows in the ledger. A cache: only new rows are read. */
export class DailyTotals {
  readonly #known = new Map<number, CachedDays>();

  /** The current sums of every day since a moment. Earlier days may be included, incompletely. */
  async read(read: Tx, memberId: number, since: number): Promise<Days> {
    // In this order: a row up to this version that is not among the unindexed bets is indexed by then.
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
    this.#cache(memberId, { to: Math.max(known.to, newest - 1), days });
    const all = new Map(days);
    add(all, await newestSums(read).execute({ member: memberId, first: Math.max(known.to + 1, newest) }));
    return all;
  }

  #cache(memberId: number, known: CachedDays): void {
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

/** The last version before a moment, by binary search: versions are in the order of time. */
async function versionBefore(read: Tx, memberId: number, moment: number, newest: number): Promise<number> {
  let [before, after] = [0, newest];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const [row] = await readJournal(read, memberId, middle, middle);
    if (row && row.at < moment - CLOCK_TOLERANCE_MS) before = middle;
    else after = middle;
  }
  return before;
}
