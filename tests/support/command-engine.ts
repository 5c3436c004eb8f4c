import { chooseDialect } from "#db/dialect.ts";
import { makeEmpty } from "./postgres-setup.ts";
import { GIVEN, startPostgres } from "./postgres-server.ts";

export const ENGINES = ["sqlite", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * Turns this process to the engine that its command was asked for: on PostgreSQL to an empty database, of a server of its
 * own unless one is given. Returns how to end that server.
 */
export async function runOn(engine: Engine): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL) process.env[GIVEN] = process.env.DATABASE_URL;
  delete process.env.DATABASE_URL;
  if (engine === "sqlite") return async () => {};
  const { url, stop } = await startPostgres();
  await makeEmpty(url);
  process.env.DATABASE_URL = url;
  chooseDialect(url);
  return stop;
}
