import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { type Definition, type Definitions, hashed } from "#db/definition-hashes.ts";
import type { Tx } from "#db/db.ts";
import { reading } from "./read.ts";

const MIGRATIONS = join(import.meta.dirname, "..", "migrations", "sqlite");

/** Everything but the statistics of `analyze` and the migrator's own table. What SQLite makes by itself has no text. */
export async function listDefinitions(read: Tx): Promise<Definition[]> {
  return read
    .select({ name: sql<string>`type || ' ' || name`, text: sql<string>`coalesce(sql, '')` })
    .from(sql`sqlite_master`)
    .where(sql`name not like 'sqlite\\_stat%' escape '\\' and name <> '__drizzle_migrations'`);
}

let migrated: Definitions | undefined;

/** The definitions of a new database in memory. The migrations do not change while a program runs. */
export async function migratedDefinitions(): Promise<Definitions> {
  return (migrated ??= await migrateInMemory());
}

async function migrateInMemory(): Promise<Definitions> {
  const raw = new Sqlite(":memory:");
  try {
    migrate(drizzle(raw), { migrationsFolder: MIGRATIONS });
    return hashed(await listDefinitions(reading(raw)));
  } finally {
    raw.close();
  }
}
