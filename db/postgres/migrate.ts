import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

const FOLDER = join(import.meta.dirname, "..", "migrations", "postgres");

/** Migrates a PostgreSQL to the newest schema. A lock keeps processes that start together apart. */
export async function migratePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "trio migrates" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(7247, 3)");
    await migrate(drizzle(client), { migrationsFolder: FOLDER });
  } finally {
    await client.end();
  }
}

/** Whether all migrations of this version were run, and none of a newer one. */
export async function isMigrated(url: string, newest: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "trio migrates" });
  await client.connect();
  try {
    return (await lastMigration(client)) === newest;
  } finally {
    await client.end();
  }
}

/** The time of the newest migration that was run; null if there is none. */
export async function lastMigration(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as there");
  if (!(rows[0] as { there: boolean }).there) return null;
  const last = await client.query<{ last: string | number | null }>(
    "select max(created_at) as last from drizzle.__drizzle_migrations",
  );
  const time = last.rows[0]!.last;
  return time === null ? null : Number(time);
}
