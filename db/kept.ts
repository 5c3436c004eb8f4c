import type { Db } from "./connect.ts";

/** As many values as one state of the database is likely to be asked for. */
const MOST = 1_000;

/**
 * What was worked out from the database alone, kept for as long as nobody commits anything:
 * the same question asked again meanwhile, by one reader or by thousands after a draw, costs no second look.
 * A stamp of one's own, which changes with what one reads of, keeps it through other commits.
 */
export class Kept<T> {
  readonly #db: Pick<Db, "stamp">;
  readonly #values = new Map<string, T>();
  readonly #most: number;
  #stamp = Number.NaN;

  constructor(db: Pick<Db, "stamp">, most: number = MOST) {
    this.#db = db;
    this.#most = most;
  }

  async get(name: string, work: () => Promise<T>): Promise<T> {
    const stamp = this.#db.stamp();
    if (stamp !== this.#stamp) this.#values.clear();
    this.#stamp = stamp;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = await work();
    // What was read while somebody committed may be newer than the stamp, never older.
    if (this.#stamp === stamp) this.#keep(name, value);
    return value;
  }

  /** The oldest goes when there are too many: a state may stand for long, and be asked for whatever people type. */
  #keep(name: string, value: T): void {
    if (this.#values.size >= this.#most) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(name, value);
  }
}

/** For what may be as old as the news of it (`Db.lately`). */
export const lately = (db: Pick<Db, "lately">): Pick<Db, "stamp"> => ({ stamp: () => db.lately() });
