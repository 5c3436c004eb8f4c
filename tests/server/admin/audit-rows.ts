import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { Tx } from "#db/db.ts";
import { isPostgres } from "#db/dialect.ts";
import { typed } from "#db/postgres/transactions.ts";
import type { games } from "#db/schema/lottery.ts";
import { reading } from "#db/sqlite/read.ts";
import { unguard } from "../../support/copies.ts";
import { databaseIn, newDatabase } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";

/** An empty database that nothing guards. Each case brings its rows, and they are gone after it. */
export interface Rows {
  /** One case at a time. `run` takes statements without values. */
  within<T>(work: (tx: Tx, run: (sql: string) => Promise<unknown>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function noRows(): Promise<Rows> {
  const folder = mkdtempSync(join(tmpdir(), "trio-rows-"));
  const database = await newDatabase(folder);
  const url = databaseIn({ env: { DATA_DIR: folder, ...database.env } });
  await withConnection(url, unguard);
  const { tx, run, close } = await (isPostgres(url) ? openPostgres(url) : openSqlite(url));
  return {
    async within(work) {
      await run("begin");
      try {
        return await work(tx, run);
      } finally {
        await run("rollback");
      }
    },
    async close() {
      await close();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openSqlite(file: string) {
  const raw = new Sqlite(file);
  raw.pragma("foreign_keys = off");
  raw.pragma("ignore_check_constraints = on");
  return { tx: reading(raw), run: async (sql: string) => raw.exec(sql), close: async () => void raw.close() };
}

async function openPostgres(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tx = typed(client as unknown as pg.PoolClient);
  return { tx, run: (sql: string) => client.query(sql), close: () => client.end() };
}

const game = { kind: "dice-sum", name: "A game", icon: "", closeS: 10, createdAt: 1 };
/** Two games that differ in their rounds' length. */
export const GAMES: (typeof games.$inferSelect)[] = [
  { ...game, id: 1, key: "k3-1m", periodS: 60 },
  { ...game, id: 2, key: "k3-5m", periodS: 300 },
];
