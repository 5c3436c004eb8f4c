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
