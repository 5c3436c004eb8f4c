import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { ENGINE } from "./databases.ts";
import type { World } from "./world.ts";

const run = promisify(execFile);
const MOST_BYTES = 1 << 28;

/** The stored bytes of a world's database: SQLite's files, or PostgreSQL's rows as pg_dump writes them. */
export async function bytesAtRest({ config }: World): Promise<Buffer[]> {
  if (ENGINE === "sqlite") return [config.database, `${config.database}-wal`].map((file) => readFileSync(file));
  const { stdout } = await run("pg_dump", [config.database], { encoding: "buffer", maxBuffer: MOST_BYTES });
  return [stdout];
}
