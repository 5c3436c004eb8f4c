import Sqlite from "better-sqlite3";
import { drizzle as onSqlite } from "drizzle-orm/better-sqlite3";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Tx } from "#db/db.ts";
import { isPostgres } from "#db/dialect.ts";
import { withConnection } from "./own-connection.ts";

export interface Asked {
  sql: string;
  params: unknown[];
}

/** A connection of the test's own that notes every statement. */
export interface NotingConnection {
  tx: Tx;
  asked: Asked[];
  close(): Promise<void>;
}

export async function openNoting(database: string): Promise<NotingConnection> {
  const asked: Asked[] = [];
  const logQuery = (sql: string, params: unknown[]) => void asked.push({ sql, params });
  const options = { casing: "snake_case", logger: { logQuery } } as const;
  if (isPostgres(database)) {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    return { tx: onPostgres(client, options) as unknown as Tx, asked, close: () => client.end() };
  }
  const raw = new Sqlite(database);
  return { tx: onSqlite(raw, options) as unknown as Tx, asked, close: async () => void raw.close() };
}

/** How the engine would run a statement, step by step. */
export async function planOf(database: string, { sql, params }: Asked): Promise<string[]> {
  const explain = isPostgres(database) ? "explain" : "explain query plan";
  const rows = await withConnection(database, ({ all }) =>
    all<{ detail?: string; "QUERY PLAN"?: string }>(`${explain} ${sql}`, ...params),
  );
  return rows.map((row) => (row.detail ?? row["QUERY PLAN"]!).trim());
}
