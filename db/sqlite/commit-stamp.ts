import type Sqlite from "better-sqlite3";

/**
 * A number that changes with every commit to a file, by any process. Its file is asked once a turn of the event loop,
 * and again after each answer of the writer: whoever was told of a commit finds its stamp changed.
 */
export class CommitStamp {
  readonly #version: Sqlite.Statement;
  readonly #lastNews: Sqlite.Statement;
  #known: number | undefined;
  #news = { version: Number.NaN, last: 0 };

  constructor(raw: Sqlite.Database) {
    this.#version = raw.prepare("pragma data_version").pluck();
    // It never falls, whatever is deleted.
    this.#lastNews = raw.prepare("select seq from sqlite_sequence where name = 'outbox'").pluck();
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

  /** Changes only with commits that wrote to the outbox. */
  news(): number {
    const version = this.get();
    if (version !== this.#news.version)
      this.#news = { version, last: (this.#lastNews.get() as number | undefined) ?? 0 };
    return this.#news.last;
  }

  forget(): void {
    this.#known = undefined;
  }
}
