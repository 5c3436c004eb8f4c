import { execFile, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import Sqlite from "better-sqlite3";
import { isPostgres } from "#db/dialect.ts";
import { databaseAt, dropDatabase, withServer } from "../../support/postgres-databases.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { program } from "../../support/program.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

/** The outcome of a move. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

type Env = Record<string, string>;

const optionsOf = (env: Env) => ({ env: { PATH: process.env.PATH ?? "", ...env } });

/** Runs `npm run move` as the operator does, in its own process. */
export function move(words: string[], env: Env = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...program("server/move.ts"), ...words], optionsOf(env), (error, out, err) => {
      resolve({ exit: error ? Number(error.code) : 0, out, err });
    });
  });
}

/** The same, without waiting for its end. */
export const startMove = (words: string[]): ChildProcess =>
  spawnBound(process.execPath, [...program("server/move.ts"), ...words], { ...optionsOf({}), stdio: "ignore" });

export type Ground = Awaited<ReturnType<typeof layGround>>;

/** Targets to move to: new files in one folder, new databases on one server. */
export async function layGround() {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "trio-move-"));
  const databases: string[] = [];
  return {
    server: server.url,
    folder,
    /** A path without a file, as if in a folder of its own. */
    newFile(): string {
      const place = join(folder, randomBytes(4).toString("hex"));
      mkdirSync(place, { mode: 0o700 });
      return join(place, "trio.db");
    },
    /** A database without a table. */
    async newDatabase(): Promise<string> {
      const name = `trio_move_${randomBytes(6).toString("hex")}`;
      await withServer(server.url, (client) => client.query(`create database ${name} template template0`));
      databases.push(databaseAt(server.url, name));
      return databases.at(-1)!;
    },
    async clear(...others: string[]): Promise<void> {
      for (const url of [...databases, ...others]) if (isPostgres(url)) await dropDatabase(server.url, url);
      rmSync(folder, { recursive: true });
      await server.stop();
    },
  };
}

/** Queries a database of either engine. */
export async function ask<T = Record<string, unknown>>(address: string, sql: string): Promise<T[]> {
  if (isPostgres(address)) return withServer(address, async (client) => (await client.query(sql)).rows as T[]);
  const raw = new Sqlite(address);
  try {
    const statement = raw.prepare(sql);
    return statement.reader ? (statement.all() as T[]) : (statement.run(), []);
  } finally {
    raw.close();
  }
}

const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  postgres: "select tablename as name from pg_tables where schemaname = 'public'",
};

/** Every row of every table in any order, without what differs between copies: the epoch, and transaction ids. */
export async function contentsOf(address: string): Promise<Record<string, string[]>> {
  const names = await ask<{ name: string }>(address, TABLES[isPostgres(address) ? "postgres" : "sqlite"]);
  const contents: Record<string, string[]> = {};
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const rows = await ask(address, `select * from "${name}"`);
    const own = { ...(name === "outbox" && { transaction: 0 }) };
    contents[name] = rows
      .filter((row) => !(name === "meta" && row.name === "epoch"))
      .map((row) => JSON.stringify({ ...row, ...own }))
      .sort();
  }
  return contents;
}

export async function metaOf(address: string): Promise<Record<string, string>> {
  const rows = await ask<{ name: string; value: string }>(address, "select name, value from meta");
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
