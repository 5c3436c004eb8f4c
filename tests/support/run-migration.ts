import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINE } from "./databases.ts";
import type { OwnConnection } from "./own-connection.ts";
import { ROOT } from "./source-files.ts";

/** Runs one migration by its name, as it is run on a database from before it: whole or not at all. */
export async function runMigration(connection: OwnConnection, name: string): Promise<void> {
  const text = readFileSync(join(ROOT, "db/migrations", ENGINE, `${name}.sql`), "utf8");
  await connection.run("begin");
  try {
    for (const statement of text.split("--> statement-breakpoint")) await connection.run(statement);
  } catch (error) {
    await connection.run("rollback");
    throw error;
  }
  await connection.run("commit");
}
