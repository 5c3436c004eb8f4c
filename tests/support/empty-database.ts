import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrateDatabase } from "#db/migrate.ts";

const MIGRATIONS = fileURLToPath(new URL("../../db/migrations/sqlite", import.meta.url));
const KEPT = fileURLToPath(new URL("../../node_modules/.cache/databases", import.meta.url));

let known: string | undefined;

/** Makes a database as the migrations leave it. They run once for all tests, and again when one has changed. */
export async function layEmptyDatabase(file: string): Promise<void> {
  copyFileSync((known ??= await migrateOnce()), file);
}

async function migrateOnce(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of readdirSync(MIGRATIONS, { recursive: true, encoding: "utf8" }).sort())
    if (/\.(sql|json)$/.test(name)) hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  const file = join(KEPT, `${hash.digest("hex")}.db`);
  if (existsSync(file)) return file;
  const made = `${file}.${process.pid}`;
  await migrateDatabase(made);
  renameSync(made, file);
  return file;
}
