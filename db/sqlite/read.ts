import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Tx } from "#db/db.ts";
import { openSqlite } from "./open.ts";
import { Statements } from "./statements.ts";

/** How far the WAL may grow beside one long reader, in bytes: it cannot restart while an old snapshot is read. */
export const WAL_LIMIT = 2 ** 30;

/** A reader was ended, because the WAL it holds up takes too much of the disk. */
export class LongRead extends Error {
  override name = "LongRead";

  constructor(bytes: number) {
    const mebibytes = Math.round(bytes / 2 ** 20);
    super(
      `this read took too long: meanwhile the write-ahead log has grown to ${mebibytes} MiB, and it cannot shrink before the read ends. Run it on a backup (npm run admin -- backup FILE)`,
    );
  }
}

/**
 * better-sqlite3's query builders are synchronous, but may be awaited. They use nothing of a connection but its
 * statements. The cache keeps frequent ones prepared.
 */
export const reading = (raw: Sqlite.Database, statements = new Statements(raw)): Tx =>
  drizzle(statements as unknown as Sqlite.Database, { casing: "snake_case" }) as unknown as Tx;

/** Reads one snapshot. Throws LongRead at the first statement after the WAL has outgrown its limit. */
export async function readSnapshot<T>(file: string, limit: number, work: (read: Tx) => Promise<T>): Promise<T> {
  const raw = openSqlite(file, { readonly: true });
  try {
    raw.exec("begin");
    return await work(reading(raw, new WatchedStatements(raw, `${file}-wal`, limit)));
  } finally {
    raw.close();
  }
}

class WatchedStatements extends Statements {
  readonly #wal: string;
  readonly #limit: number;

  constructor(raw: Sqlite.Database, wal: string, limit: number) {
    super(raw);
    this.#wal = wal;
    // A WAL that was larger before is not this reader's fault.
    this.#limit = Math.max(limit, this.#size());
  }

  override prepare(sql: string): Sqlite.Statement {
    const size = this.#size();
    if (size > this.#limit) throw new LongRead(size);
    return super.prepare(sql);
  }

  #size(): number {
    return statSync(this.#wal, { throwIfNoEntry: false })?.size ?? 0;
  }
}
