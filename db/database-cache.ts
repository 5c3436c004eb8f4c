import type { Emitter, EventType } from "mitt";
import type { Clock } from "#shared/time.ts";
import type { Db } from "./db.ts";

/** Changes whenever what a cache holds may have changed. */
export type CacheStamp = Pick<Db, "stamp">;

/** Between two commits, callers seldom ask for more values than this. */
const MOST = 1_000;

/**
 * Caches values read from the database until the next commit. Concurrent requests for one value share one read. A
 * value read under an old stamp is never returned under a new one. A caller may pass a stamp that changes only with
 * the rows it reads: then other commits do not clear the cache.
 */
export class DatabaseCache<T> {
  readonly #source: CacheStamp;
  readonly #most: number;
  readonly #values = new Map<string, T>();
  /** Reads in flight under the present stamp. Each leaves when it ends, so the waiting callers bound their number. */
  #reads = new Map<string, Promise<T>>();
  #stamp = Number.NaN;

  constructor(source: CacheStamp, most: number = MOST) {
    this.#source = source;
    this.#most = most;
  }

  /** A failed read is not cached. Callers who share it share the failure. */
  async get(name: string, read: () => Promise<T>): Promise<T> {
    return this.known(name) ?? this.#reads.get(name) ?? this.#startRead(name, read);
  }

  /** The value if it is cached, for callers who then need not wait. */
  known(name: string): T | undefined {
    this.#followStamp();
    return this.#values.get(name);
  }

  #followStamp(): void {
    const stamp = this.#source.stamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#values.clear();
    // Old reads go on for the callers who wait for them, and nobody else joins them.
    this.#reads = new Map();
  }

  #startRead(name: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#reads;
    // If a commit came meanwhile, the value may be newer than its stamp, but never older.
    const store = (value: T) => {
      if (this.#reads === reads) this.#store(name, value);
      return value;
    };
    // Async, so that a read that throws synchronously fails like any other.
    const begun = (async () => read())()
      .then(store)
      .finally(() => reads.delete(name));
    reads.set(name, begun);
    return begun;
  }

  /** Drops the oldest value when the cache is full: without commits, nothing else bounds it. */
  #store(name: string, value: T): void {
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(name, value);
  }
}

/** The stamp for readers who accept values as old as `Db.staleStamp` allows. */
export const staleStamp = (db: Pick<Db, "staleStamp">): CacheStamp => ({ stamp: () => db.staleStamp() });

/** A stamp that also changes with the clock, for answers that tell the time: those of one millisecond are the same. */
export function momentStamp(source: CacheStamp, clock: Clock): CacheStamp {
  let [at, stamp, moments] = [Number.NaN, Number.NaN, 0];
  return {
    stamp() {
      const [now, present] = [clock.now(), source.stamp()];
      if (now !== at || present !== stamp) [at, stamp, moments] = [now, present, moments + 1];
      return moments;
    },
  };
}

/** A stamp that changes with an event alone: other commits do not clear the cache. */
export function eventStamp<Events extends Record<EventType, unknown>>(
  bus: Pick<Emitter<Events>, "on">,
  event: keyof Events,
): CacheStamp {
  let events = 0;
  bus.on(event, () => {
    events++;
  });
  return { stamp: () => events };
}
