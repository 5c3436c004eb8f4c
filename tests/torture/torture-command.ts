import { once } from "node:events";
import { expect } from "vitest";
import { bareEnvironment, program } from "../support/program.ts";
import { spawnBound } from "../support/spawn-bound.ts";

/**
 * Runs a part of `npm run torture` on a PostgreSQL of its own, which it may strike: nothing may be wrong. Returns its
 * figures.
 */
export async function tortured(part: string, ...words: string[]): Promise<Record<string, number>> {
  const command = [...program("tests/torture/main.ts"), part, "--engine", "postgres", ...words];
  const child = spawnBound(process.execPath, command, { env: bareEnvironment() });
  let said = "";
  for (const output of [child.stdout!, child.stderr!]) output.on("data", (text) => (said += String(text)));
  const [exit] = (await once(child, "close")) as [number | null];
  expect([exit, exit === 0 ? "" : said]).toEqual([0, ""]);
  return JSON.parse(/: (\{.*\})\s*$/.exec(said)![1]!) as Record<string, number>;
}
