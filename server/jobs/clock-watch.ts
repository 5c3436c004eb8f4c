import { desc } from "drizzle-orm";
import type { Db } from "#db/db.ts";
import { outbox, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";

/** Clocks are corrected by less than this all the time. */
export const TOLERANCE_MS = 2_000;

/** A clock that was set: from what it showed to what it showed next. */
interface Jump {
  from: number;
  to: number;
}

/**
 * Detects a clock that was set, by comparing it with the monotonic time, and one that is behind committed rows. A clock
 * far ahead at the start is normal: the server was off.
 */
export class ClockWatch {
  readonly #deps: Pick<Deps, "db" | "clock" | "log">;
  #last: { now: number; elapsed: number } | null = null;
  /** The latest time ever seen. */
  #highest = Number.NEGATIVE_INFINITY;
  #jumpedAhead: Jump | null = null;
  #isBehind = false;
  readonly jumps = { ahead: 0, back: 0 };

  constructor(deps: Pick<Deps, "db" | "clock" | "log">) {
    this.#deps = deps;
  }

  /** How far the clock is behind the latest time seen or committed, in ms; 0 for a healthy clock. */
  get behindMs(): number {
    const behind = this.#highest - this.#deps.clock.now();
    return behind > TOLERANCE_MS ? behind : 0;
  }

  /** Checks the clock; the first time also against the last commit. */
  async look(): Promise<void> {
    if (!this.#last) this.#highest = await newestCommitted(this.#deps.db);
    this.#compare();
    this.#highest = Math.max(this.#highest, this.#last!.now);
    this.#report();
  }

  /** Whether the clock jumped over that moment while this process ran. */
  jumpedOver(ms: number): boolean {
    return this.#jumpedAhead !== null && this.#jumpedAhead.from <= ms && ms < this.#jumpedAhead.to;
  }

  #compare(): void {
    const { clock, log } = this.#deps;
    const [now, elapsed] = [clock.now(), (clock.elapsed ?? clock.now)()];
    const last = this.#last;
    this.#last = { now, elapsed };
    if (!last) return;
    const setByMs = now - last.now - (elapsed - last.elapsed);
    if (Math.abs(setByMs) <= TOLERANCE_MS) return;
    if (setByMs > 0) {
      this.jumps.ahead++;
      this.#jumpedAhead = { from: last.now, to: now };
      log.warn({ setByMs }, "the clock was set ahead");
    } else {
      this.jumps.back++;
      log.error({ setByMs }, "the clock was set back");
    }
  }

  #report(): void {
    const { behindMs } = this;
    const { log } = this.#deps;
    if (behindMs > 0 && !this.#isBehind) log.error({ behindMs }, "the clock is behind the newest commit");
    if (behindMs === 0 && this.#isBehind) log.warn("the clock has caught up with the newest commit");
    this.#isBehind = behindMs > 0;
  }
}

/** The time of the latest commit with a timestamp, in ms; 0 without one. */
export async function newestCommitted({ read }: Pick<Db, "read">): Promise<number> {
  const [newest] = await read.select({ at: outbox.createdAt }).from(outbox).orderBy(desc(outbox.id)).limit(1);
  const [round] = await read.select({ at: rounds.openedAt }).from(rounds).orderBy(desc(rounds.id)).limit(1);
  return Math.max(newest?.at ?? 0, round?.at ?? 0);
}
