import type Sqlite from "better-sqlite3";

/** With more new rows than this, it costs less to clear a cache than to look at them. */
const MOST_LOOKED_AT = 1_000;

/**
 * A number that changes with every commit to a file, by any process. Its file is asked once a turn of the event loop,
 * and again after each answer of the writer: whoever was told of a commit finds its stamp changed.
 */
export class CommitStamp {
  readonly #version: Sqlite.Statement;
  readonly #lastNews: Sqlite.Statement;
  #known: number | undefined;
  readonly #walletsAlone: Sqlite.Statement;
  /** The newest row seen, and the newest when there was news last. */
  #news = { version: Number.NaN, seen: 0, last: 0 };

  constructor(raw: Sqlite.Database) {
    this.#version = raw.prepare("pragma data_version").pluck();
    // It never falls, whatever is deleted.
    this.#lastNews = raw.prepare("select seq from sqlite_sequence where name = 'outbox'").pluck();
    // No number is left out, and rows that are gone count as news.
    this.#walletsAlone = raw
      .prepare("select count(*) from outbox where id > +? and id <= +? and topic = 'wallet.changed'")
      .pluck();
  }

  get(): number {
    return this.#known ?? this.fresh();
  }

  /** Asks the file now. */
  fresh(): number {
    // Those that were set before do no harm: the file is asked once more.
    setImmediate(() => this.forget());
    return (this.#known = this.#version.get() as number);
  }

  /** Changes only with commits that wrote to the outbox, and not only of wallets. */
  news(): number {
    const version = this.get();
    if (version === this.#news.version) return this.#news.last;
    const seen = (this.#lastNews.get() as number | undefined) ?? 0;
    const last = this.#isSilent(this.#news.seen, seen) ? this.#news.last : seen;
    this.#news = { version, seen, last };
    return last;
  }

  #isSilent(before: number, now: number): boolean {
    const added = now - before;
    return added === 0 || (added <= MOST_LOOKED_AT && this.#walletsAlone.get(before, now) === added);
  }

  forget(): void {
    this.#known = undefined;
  }
}
