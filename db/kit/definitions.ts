import { writeFileSync } from "node:fs";
import pg from "pg";
import { hashed, type Definition } from "#db/definition-hashes.ts";
import { DEFINITIONS, hashOfMigrations, LIST } from "#db/postgres/definitions.ts";
import { migratePostgres } from "#db/postgres/migrate.ts";
import { REFUSED } from "./engines.ts";
import { findPrograms, startPrivate } from "#db/postgres/private-server.ts";

// Lists what PostgreSQL's migrations make, by running them on a server of its own. The audit compares with that list.
const programs = findPrograms();
if (programs) await write(programs);
else {
  console.error("PostgreSQL's programs are not on this machine. Where they are, run: npm run db:definitions");
  process.exitCode = 1;
}

async function write(programs: string): Promise<void> {
  const server = await startPrivate(programs, ["fsync=off"]);
  try {
    await migratePostgres(server.url).catch((error: unknown) => {
      const { message } =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
      console.error(`PostgreSQL refuses a migration: ${message}.`);
      process.exitCode = REFUSED;
    });
    if (process.exitCode === REFUSED) return;
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<Definition>(DEFINITIONS).finally(() => client.end());
    const names = Object.fromEntries([...hashed(rows)].sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(LIST, `${JSON.stringify({ of: hashOfMigrations(), names }, null, 0).replaceAll(",", ",\n")}\n`);
  } finally {
    await server.stop();
  }
}
