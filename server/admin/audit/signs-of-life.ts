import { and, desc, eq, lte, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { gaps, houseEntries, rounds, sessions, spins } from "#db/schema/index.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** What a server does within this time of its working: it seals each minute, and draws and pays at once. */
const SOON_MS = 2 * MINUTE_MS;

/** How long a server has certainly worked, by the rows that only servers write. */
export class SignsOfLife {
  readonly #last: number;
  readonly #back: number;

  private constructor(last: number, back: number) {
    this.#last = last;
    this.#back = back;
  }

  /** A row dated after `now` comes from a clock that was ahead: it is no sign. */
  static async read(read: Tx, now: number): Promise<SignsOfLife> {
    const newest: number[] = [];
    for (const [table, at] of [
      [houseEntries, houseEntries.createdAt],
      [rounds, rounds.openedAt],
      [sessions, sessions.createdAt],
      [spins, spins.createdAt],
    ] as const) {
      const rows = await read.select({ at }).from(table).where(lte(at, now)).orderBy(desc(table.id)).limit(1);
      newest.push(...rows.map((row) => row.at));
    }
    const [down] = await read
      .select({ back: max(gaps.createdAt) })
      .from(gaps)
      .where(and(eq(gaps.reason, "down"), lte(gaps.createdAt, now)));
    return new SignsOfLife(Math.max(...newest), down!.back ?? -Infinity);
  }

  /**
   * The seconds that a server worked on after a moment and left undone what it does at once; null if it may have been
   * away. A break shows only as a gap: after one without a missed round, the first seconds count as work.
   */
  idleSince(at: number): number | null {
    const ms = this.#last - Math.max(at, this.#back);
    return ms > SOON_MS ? Math.floor(ms / 1_000) : null;
  }
}
