import type { Db } from "#db/db.ts";
import type { Clock } from "#shared/time.ts";

/** The counts of one process in a window that it shares. */
export interface Counted {
  process: string;
  startedAt: number;
  subjects: string[];
  requests: number[];
}

/** The sum of all other processes' counts of an address. */
export interface CountedElsewhere {
  subject: string;
  requests: number;
}

/** The shortest interval between two exchanges. */
const SHARE_EVERY_MS = 450;
/** Only addresses with this many requests are shared, the busiest first. */
const BUSY = 25;
const MOST_SHARED = 500;
/** The most addresses counted in one window. */
const MOST_COUNTED = 50_000;

interface Seen {
  here: number;
  elsewhere: number;
}

/**
 * Counts requests by address in clock windows that all processes share. A request is counted locally and waits for
 * nothing; other processes' counts are read from the database now and then. While it is away, each process counts
 * alone.
 */
export class SharedRates {
  readonly #db: Pick<Db, "batch">;
  readonly #clock: Clock;
  readonly #process: string;
  readonly #windowMs: number;
  #seen = new Map<string, Seen>();
  #startedAt = 0;
  #sharedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #sharing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor({ db, clock, process }: { db: Pick<Db, "batch">; clock: Clock; process: string }, windowMs: number) {
    this.#db = db;
    this.#clock = clock;
    this.#process = process;
    this.#windowMs = windowMs;
  }

  /** Counts a request. Returns this window's count and remaining time. */
  count(subject: string): { current: number; ttl: number } {
    const now = this.#clock.now();
    const startedAt = now - (now % this.#windowMs);
    if (startedAt !== this.#startedAt) this.#begin(startedAt);
    const seen = this.#seenOf(subject);
    seen.here++;
    if (seen.here >= BUSY) this.#shareSoon();
    return { current: seen.here + seen.elsewhere, ttl: startedAt + this.#windowMs - now };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#sharing;
  }

  #begin(startedAt: number): void {
    this.#startedAt = startedAt;
    this.#seen = new Map();
  }

  #seenOf(subject: string): Seen {
    let seen = this.#seen.get(subject);
    if (!seen) {
      if (this.#seen.size >= MOST_COUNTED) this.#seen.delete(this.#seen.keys().next().value!);
      this.#seen.set(subject, (seen = { here: 0, elsewhere: 0 }));
    }
    return seen;
  }

  #shareSoon(): void {
    if (this.#timer || this.#isClosed) return;
    const waitMs = Math.max(0, this.#sharedAt + SHARE_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#sharedAt = performance.now();
      this.#sharing = this.#share().finally(() => {
        this.#timer = null;
      });
    }, waitMs).unref();
  }

  async #share(): Promise<void> {
    const [startedAt, known] = [this.#startedAt, this.#seen];
    const busy = [...known].filter(([, { here }]) => here >= BUSY).sort(([, a], [, b]) => b.here - a.here);
    const shared = busy.slice(0, MOST_SHARED);
    if (shared.length === 0) return;
    const subjects = shared.map(([subject]) => subject);
    const counted: Counted = {
      process: this.#process,
      startedAt,
      subjects,
      requests: shared.map(([, { here }]) => here),
    };
    try {
      const others = await this.#db.batch<Counted, CountedElsewhere[]>("rates.share", counted);
      for (const { subject, requests } of others) known.get(subject)!.elsewhere = requests;
    } catch {
      // The local count still limits, and the next exchange comes soon.
    }
  }
}
