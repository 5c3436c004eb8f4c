import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { layEmptyDatabase } from "./empty-database.ts";
import { copyDatabase, dropDatabase } from "./postgres-databases.ts";

/** The PostgreSQL on which databases may be created; empty where SQLite is tried. */
export const SERVER = process.env.DATABASE_URL ?? "";
/** The engine that this run is on. */
export const ENGINE: "sqlite" | "postgres" = SERVER ? "postgres" : "sqlite";

/** Where data lies, as programs that work on it are configured. Without DATABASE_URL it is the folder's own file. */
export interface Place {
  env: { DATA_DIR: string; DATABASE_URL?: string; MASTER_KEY?: string };
}

/** The database's address or file, for a program beside the server. */
export const databaseIn = ({ env }: Place): string => env.DATABASE_URL ?? join(env.DATA_DIR, "trio.db");

export interface TestDatabase {
  /** Environment of a server on this database, beside DATA_DIR. */
  env: Record<string, string>;
  drop(): Promise<void>;
}

/** A new database as the migrations leave it, for a server whose files lie in `folder`. */
export async function newDatabase(folder: string): Promise<TestDatabase> {
  if (ENGINE === "sqlite") {
    const file = join(folder, "trio.db");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await layEmptyDatabase(file);
    return { env: {}, drop: async () => rmSync(file, { force: true }) };
  }
  const url = await copyDatabase(SERVER);
  return { env: { DATABASE_URL: url }, drop: () => dropDatabase(SERVER, url) };
}
