import Sqlite from "better-sqlite3";
import pg from "pg";
import { isPostgres } from "#db/dialect.ts";
// Numbers as the server reads them.
import "#db/postgres/pool.ts";

/** A database connection of the test's own, past the server's. */
export interface OwnConnection {
  /** Values replace `?`. Returns rows by column name. */
  all<T>(text: string, ...values: unknown[]): Promise<T[]>;
  /** Runs statements without values. */
  run(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Both engines return whole numbers as numbers; SQLite alone returns JSON as text. */
export async function openConnection(database: string): Promise<OwnConnection> {
  return isPostgres(database) ? openPostgres(database) : openSqlite(database);
}

function openSqlite(file: string): OwnConnection {
  const raw = new Sqlite(file);
  return {
    all: async <T>(text: string, ...values: unknown[]) => raw.prepare(text).all(...values) as T[],
    run: async (text) => void raw.exec(text),
    close: async () => void raw.close(),
  };
}

async function openPostgres(url: string): Promise<OwnConnection> {
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
export async function withConnection<T>(database: string, work: (connection: OwnConnection) => Promise<T>): Promise<T> {
  const connection = await openConnection(database);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
