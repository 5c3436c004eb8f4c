import type Sqlite from "better-sqlite3";

/**
 * A number that changes with every commit to a file, by any process. Its file is asked once a turn of the event loop,
 * and again after each answer of the writer: whoever was told of a commit finds its stamp changed.
 */
export class CommitStamp {
  readonly #version: Sqlite.Statement;
  #known: number | undefined;

  constructor(raw: Sqlite.Database) {
    this.#version = raw.prepare("pragma data_version").pluck();
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

  forget(): void {
    this.#known = undefined;
  }
}
