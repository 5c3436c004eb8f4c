import type Sqlite from "better-sqlite3";

/** The most statements kept prepared: those that were used last. */
const MAX_STATEMENTS = 500;

/** The statements of one connection, each prepared once. Those that read answer in rows of values. */
export class Statements {
  readonly #raw: Sqlite.Database;
  readonly #cache = new Map<string, Sqlite.Statement>();

  constructor(raw: Sqlite.Database) {
    this.#raw = raw;
  }

  prepare(sql: string): Sqlite.Statement {
    const statement = this.#cache.get(sql) ?? this.#make(sql);
    // The one that was asked for last stands last.
    this.#cache.delete(sql);
    if (this.#cache.size >= MAX_STATEMENTS) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(sql, statement);
    return statement;
  }

  #make(sql: string): Sqlite.Statement {
    const statement = this.#raw.prepare(sql);
    if (statement.reader) statement.raw();
    return statement;
  }
}
