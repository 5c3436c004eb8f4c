import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { layEmptyDatabase } from "./empty-database.ts";
import { copyDatabase, dropDatabase } from "./postgres-databases.ts";

/** The engine that this test runs on. */
export const ENGINE: "sqlite" | "postgres" = process.env.DATABASE_URL ? "postgres" : "sqlite";

/** Where data lies, as programs that work on it are configured. Without DATABASE_URL it is the folder's own file. */
export interface Place {
  env: { DATA_DIR: string; DATABASE_URL?: string };
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
  const server = inject("postgres");
  const url = await copyDatabase(server);
  return { env: { DATABASE_URL: url }, drop: () => dropDatabase(server, url) };
}
