import type Sqlite from "better-sqlite3";

/** The most statements kept prepared: those that were used last. */
const MOST_STATEMENTS = 500;

/** The statements of one connection, each prepared once. Those that read answer in rows of values. */
export class Statements {
  readonly #raw: Sqlite.Database;
  readonly #kept = new Map<string, Sqlite.Statement>();

  constructor(raw: Sqlite.Database) {
    this.#raw = raw;
  }

  prepare(sql: string): Sqlite.Statement {
    const statement = this.#kept.get(sql) ?? this.#make(sql);
    // The one that was asked for last stands last.
    this.#kept.delete(sql);
    if (this.#kept.size >= MOST_STATEMENTS) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(sql, statement);
    return statement;
  }

  #make(sql: string): Sqlite.Statement {
    const statement = this.#raw.prepare(sql);
    if (statement.reader) statement.raw();
    return statement;
  }
}
