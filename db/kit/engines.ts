import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

export const ROOT = join(import.meta.dirname, "..", "..");
const KIT = join("node_modules", "drizzle-kit", "bin.cjs");
const PRELOAD = "./server/preload.mjs";
const CONFIG = join("db", "kit", "drizzle.config.ts");

/** A process loads the schema for one engine alone, so each has a process of its own. */
const ENGINES = {
  sqlite: { title: "SQLite", url: "" },
  postgres: { title: "PostgreSQL", url: "postgres://nowhere" },
};
export type Engine = keyof typeof ENGINES;
export const engines = Object.keys(ENGINES) as Engine[];
export const titleOf = (engine: Engine): string => ENGINES[engine].title;
/** An address that stands for the engine, with no database behind it. */
export const urlOf = (engine: Engine): string => ENGINES[engine].url;

export const folderOf = (engine: Engine): string => join(ROOT, "db", "migrations", engine);

/** The names of an engine's migrations, number first, oldest first. */
export function readJournal(engine: Engine): string[] {
  const text = readFileSync(join(folderOf(engine), "meta", "_journal.json"), "utf8");
  return (JSON.parse(text) as { entries: { tag: string }[] }).entries.map(({ tag }) => tag);
}

const SNAPSHOT = "_snapshot.json";
const snapshotsIn = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));

/**
 * What an engine's migrations leave, as drizzle-kit describes it: one packed file, of the newest migration, unless two
 * branches were merged. drizzle-kit compares with no other, and unpacked they would be the largest files of the tree.
 */
export const snapshotsOf = (engine: Engine): string[] => snapshotsIn(folderOf(engine), `${SNAPSHOT}.gz`);

export const readSnapshot = (path: string): unknown => JSON.parse(gunzipSync(readFileSync(path)).toString());

/** Lays the newest snapshot out for drizzle-kit, which reads all files of this folder. */
export function unpackSnapshot(engine: Engine): void {
  const newest = snapshotsOf(engine).at(-1)!;
  const name = basename(newest, ".gz");
  writeFileSync(join(folderOf(engine), "meta", name), JSON.stringify(readSnapshot(newest)));
}

/** Keeps what drizzle-kit made of it, and nothing before. */
export function packSnapshot(engine: Engine): void {
  const laidOut = snapshotsIn(join(folderOf(engine), "meta"), SNAPSHOT);
  const newest = laidOut.at(-1)!;
  const packed = gzipSync(JSON.stringify(JSON.parse(readFileSync(newest, "utf8"))), { level: 9 });
  for (const path of [...laidOut, ...snapshotsOf(engine)]) rmSync(path);
  writeFileSync(join(folderOf(engine), `${basename(newest)}.gz`), packed);
}

/** Where the two lists of migrations differ; null if they agree. */
export function difference(): string | null {
  const [sqlite = [], postgres = []] = engines.map(readJournal);
  const most = Math.max(sqlite.length, postgres.length);
  const at = Array.from({ length: most }, (_, i) => i).find((i) => sqlite[i] !== postgres[i]);
  if (at === undefined) return null;
  return `The engines' migrations differ: SQLite has ${sqlite[at] ?? "none"} where PostgreSQL has ${postgres[at] ?? "none"}.`;
}

/** The tables, by name, that changed since the engine's last migration. */
export async function changedTables(engine: Engine): Promise<string[]> {
  const { code, output } = await run(engine, ["--import", PRELOAD, join("db", "kit", "changed-tables.ts"), engine]);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as string[];
}

/** The exit of `definitions.ts` when PostgreSQL refuses a migration. */
export const REFUSED = 3;

/** Lists anew what PostgreSQL's migrations make. Returns why it could not, and whether PostgreSQL refused one. */
export async function listDefinitions(): Promise<{ why: string | null; refused: boolean }> {
  const { code, output } = await run("postgres", ["--import", PRELOAD, join("db", "kit", "definitions.ts")]);
  return { why: code === 0 ? null : output.trim(), refused: code === REFUSED };
}

/** Runs a command of drizzle-kit. `"ask"`: it may prompt for renames at the terminal. */
export const runKit = (engine: Engine, [command, ...rest]: [string, ...string[]], output?: "ask"): Promise<Ended> =>
  run(engine, [KIT, command, "--config", CONFIG, ...rest], output);

interface Ended {
  code: number | null;
  output: string;
}

function run(engine: Engine, args: string[], mode?: "ask"): Promise<Ended> {
  const stdio = mode === "ask" ? "inherit" : "pipe";
  const env = { ...process.env, DATABASE_URL: ENGINES[engine].url };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
