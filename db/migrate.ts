import { dirname, join } from "node:path";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { isPostgres } from "./dialect.ts";
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
