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
  /** Runs statements without values. Returns how many rows they changed. */
  change(text: string): Promise<number>;
  /** Runs what reads, so that all of it sees one state of the database. */
  snapshot<T>(read: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Both engines return whole numbers as numbers; SQLite alone returns JSON as text. */
export async function openConnection(database: string): Promise<OwnConnection> {
  return isPostgres(database) ? openPostgres(database) : openSqlite(database);
}

async function within<T>(run: OwnConnection["run"], begin: string, read: () => Promise<T>): Promise<T> {
  await run(begin);
  try {
    return await read();
  } finally {
    await run("rollback");
  }
}

function openSqlite(file: string): OwnConnection {
  const raw = new Sqlite(file);
  const changes = raw.prepare("select total_changes()").pluck();
  const run = async (text: string) => void raw.exec(text);
  return {
    all: async <T>(text: string, ...values: unknown[]) => raw.prepare(text).all(...values) as T[],
    run,
    async change(text) {
      const before = changes.get() as number;
      raw.exec(text);
      return (changes.get() as number) - before;
    },
    snapshot: (read) => within(run, "begin", read),
    close: async () => void raw.close(),
  };
}

const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

async function openPostgres(url: string): Promise<OwnConnection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = async (text: string) => void (await client.query(text));
  return {
    async all<T>(text: string, ...values: unknown[]) {
      let count = 0;
      const { rows } = await client.query(
        text.replaceAll("?", () => `$${++count}`),
        values,
      );
      return rows as T[];
    },
    run,
    async change(text) {
      const results = [await client.query(text)].flat();
      return results.reduce((sum, { command, rowCount }) => sum + (CHANGES.has(command) ? (rowCount ?? 0) : 0), 0);
    },
    snapshot: (read) => within(run, "begin isolation level repeatable read read only", read),
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
