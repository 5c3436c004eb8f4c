import Sqlite from "better-sqlite3";
import pg from "pg";
import { isPostgres } from "#db/dialect.ts";
// Numbers as the server reads them.
import "#db/postgres/pool.ts";

/** A database connection of the test's own, past the server's. */
export interface Beside {
  /** Values replace `?`. Returns rows by column name. */
  all<T>(text: string, ...values: unknown[]): Promise<T[]>;
  /** Runs statements without values. */
  run(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Both engines return whole numbers as numbers; SQLite alone returns JSON as text. */
export async function openBeside(database: string): Promise<Beside> {
  return isPostgres(database) ? openPostgres(database) : openSqlite(database);
}

function openSqlite(file: string): Beside {
  const raw = new Sqlite(file);
  return {
    all: async <T>(text: string, ...values: unknown[]) => raw.prepare(text).all(...values) as T[],
    run: async (text) => void raw.exec(text),
    close: async () => void raw.close(),
  };
}

async function openPostgres(url: string): Promise<Beside> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async all<T>(text: string, ...values: unknown[]) {
      let count = 0;
      const { rows } = await client.query(
        text.replaceAll("?", () => `$${++count}`),
        values,
      );
      return rows as T[];
    },
    run: async (text) => void (await client.query(text)),
    close: () => client.end(),
  };
}

/** Opens a connection, queries, closes it. */
export async function askBeside<T>(database: string, work: (beside: Beside) => Promise<T>): Promise<T> {
  const beside = await openBeside(database);
  try {
    return await work(beside);
  } finally {
    await beside.close();
  }
}
