import type Sqlite from "better-sqlite3";

/** The cache drops the statement that was least recently used. */
const MAX_STATEMENTS = 500;

/** An LRU cache of one connection's prepared statements. Those that read return rows as arrays of values. */
export class Statements {
  readonly #raw: Sqlite.Database;
  readonly #cache = new Map<string, Sqlite.Statement>();

  constructor(raw: Sqlite.Database) {
    this.#raw = raw;
  }

  prepare(sql: string): Sqlite.Statement {
    const statement = this.#cache.get(sql) ?? this.#make(sql);
    // A map keeps the order of insertion: the last used stands last.
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
