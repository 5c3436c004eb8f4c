import { spawnSync } from "node:child_process";
import * as own from "#db/postgres/private-server.ts";

export type PostgresServer = own.PostgresServer;
export type PrivatePostgres = own.PrivatePostgres;

/** Settings for a database that is thrown away after the tests: speed instead of durability. */
const HASTY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=4GB", "autovacuum=off"];

/** The caller's DATABASE_URL, under a name that tests on SQLite do not read. */
export const GIVEN = "POSTGRES_OF_TESTS";

/** Whether a PostgreSQL is there to test on, or can be started. */
export const canStart = (): boolean =>
  Boolean(process.env[GIVEN]) || own.findPrograms() !== undefined || process.getuid?.() === 0;

/**
 * The PostgreSQL of DATABASE_URL, or else a private one from the programs on this machine, which root may have to
 * install.
 */
export async function startPostgres(settings?: string[]): Promise<PostgresServer> {
  const given = process.env[GIVEN];
  return given ? { url: given, stop: async () => {} } : startPrivate(settings);
}

/** A private PostgreSQL that a test may break. */
export function startPrivate(settings: string[] = HASTY): Promise<PrivatePostgres> {
  return own.startPrivate(own.findPrograms() ?? installPrograms(), settings);
}

function installPrograms(): string {
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const words of [
      ["update", "-q"],
      ["install", "-q", "-y", "--no-install-recommends", "postgresql"],
    ])
      spawnSync("apt-get", words, { env, stdio: "ignore" });
  }
  const found = own.findPrograms();
  if (!found) throw new Error("PostgreSQL is neither at DATABASE_URL nor on this machine, and could not be installed");
  return found;
}
