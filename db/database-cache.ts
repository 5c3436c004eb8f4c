import type { Db } from "./db.ts";

/** One state of the database is seldom asked for more values than this. */
const MOST = 1_000;

/**
 * Caches what is read from the database until somebody commits. However many ask the same question at the same time,
 * it is read once. A value read under an old stamp is never given to somebody who asks under a new one. A caller may
 * bring a stamp of its own, which changes only with the rows it reads: then other commits leave the cache alone.
 */
export class DatabaseCache<T> {
  readonly #source: Pick<Db, "stamp">;
  readonly #most: number;
  readonly #values = new Map<string, T>();
  /** Reads under way, under the present stamp alone. Each leaves when it ends, so those who wait are its bound. */
  #reads = new Map<string, Promise<T>>();
  #stamp = Number.NaN;

  constructor(source: Pick<Db, "stamp">, most: number = MOST) {
    this.#source = source;
    this.#most = most;
  }

  /** A failed read is not cached; those who asked at the same time share the failure. */
  async get(name: string, read: () => Promise<T>): Promise<T> {
    this.#followStamp();
    const known = this.#values.get(name);
    return known !== undefined ? known : (this.#reads.get(name) ?? this.#startRead(name, read));
  }

  #followStamp(): void {
    const stamp = this.#source.stamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#values.clear();
    // Old reads go on for those who already wait, out of sight of everybody else.
    this.#reads = new Map();
  }

  #startRead(name: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#reads;
    // After a commit meanwhile, a value may be newer than its stamp, but never older.
    const keep = (value: T) => {
      if (this.#reads === reads) this.#store(name, value);
      return value;
    };
    // As async, so that a read that throws at once fails like any other.
    const begun = (async () => read())()
      .then(keep)
      .finally(() => reads.delete(name));
    reads.set(name, begun);
    return begun;
  }

  /** Drops the oldest value when there are too many: people may ask for anything while nobody commits. */
  #store(name: string, value: T): void {
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(name, value);
  }
}

/** The stamp for readers who accept a value as old as `Db.staleStamp` allows. */
export const staleStamp = (db: Pick<Db, "staleStamp">): Pick<Db, "stamp"> => ({ stamp: () => db.staleStamp() });
