import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { dialectOf, isPostgres, type Dialect } from "./dialect.ts";
import { makeFolder } from "./durable.ts";
import { openSqlite } from "./sqlite/open.ts";

/**
 * Migrates a database to the newest schema: a PostgreSQL by its address, or a SQLite file, which is made if missing. The
 * error of a migration that fails begins with the reason, and not with the statement.
 */
export async function migrateDatabase(url: string): Promise<void> {
  await migrateEngine(url).catch((error: Error) => {
    throw error.cause instanceof Error ? new Error(error.cause.message, { cause: error }) : error;
  });
}

async function migrateEngine(url: string): Promise<void> {
  if (isPostgres(url)) {
    const { migratePostgres } = await import("./postgres/migrate.ts");
    return migratePostgres(url);
  }
  await makeFolder(dirname(url));
  migrateFile(url);
}

function migrateFile(file: string): void {
  const raw = openSqlite(file);
  try {
    migrate(drizzle(raw), { migrationsFolder: join(import.meta.dirname, "migrations", "sqlite") });
    const synchronous = raw.pragma("synchronous", { simple: true });
    if (synchronous !== 2) throw new Error(`SQLite does not write durably: synchronous is ${String(synchronous)}`);
  } finally {
    raw.close();
  }
}

/** Whether the database has all migrations of this version, and none of a newer one: another program may run on it. */
export async function isMigrated(url: string): Promise<boolean> {
  const newest = newestMigration(dialectOf(url));
  if (isPostgres(url)) return (await import("./postgres/migrate.ts")).isMigrated(url, newest);
  const raw = openSqlite(url, { readonly: true });
  try {
    return lastMigrationOf(raw) === newest;
  } finally {
    raw.close();
  }
}

/** The time of this version's newest migration, in ms. */
export function newestMigration(dialect: Dialect): number {
  const file = join(import.meta.dirname, "migrations", dialect, "meta", "_journal.json");
  const { entries } = JSON.parse(readFileSync(file, "utf8")) as { entries: { when: number }[] };
  return Math.max(...entries.map(({ when }) => when));
}

/** The time of the newest migration that was run, in ms; null if there is none. */
export function lastMigrationOf(raw: Sqlite.Database): number | null {
  const has = raw.prepare("select count(*) from sqlite_master where name = '__drizzle_migrations'").pluck().get();
  if (!has) return null;
  return raw.prepare("select max(created_at) from __drizzle_migrations").pluck().get() as number | null;
}
