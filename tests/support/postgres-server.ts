import { spawnSync } from "node:child_process";
import * as own from "#db/postgres/private-server.ts";

export type PostgresServer = own.PostgresServer;
export type PrivatePostgres = own.PrivatePostgres;

/** What a database may leave out that is thrown away after the tests. */
const HASTY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=4GB", "autovacuum=off"];

/** Where the tests' own configuration puts the caller's DATABASE_URL: tests on SQLite must not see it. */
export const GIVEN = "POSTGRES_OF_TESTS";

/** Whether there is a PostgreSQL to test on, or could be. */
export const canStart = (): boolean =>
  Boolean(process.env[GIVEN]) || own.findPrograms() !== undefined || process.getuid?.() === 0;

/** The one of DATABASE_URL, or else a private one from the programs on this machine, which root may have to install. */
export async function startPostgres(settings?: string[]): Promise<PostgresServer> {
  const given = process.env[GIVEN];
  return given ? { url: given, stop: async () => {} } : startPrivate(settings);
}

/** One that a test may treat as badly as it likes. */
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
