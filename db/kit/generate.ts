import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import {
  changedTables,
  difference,
  engines,
  folderOf,
  listDefinitions,
  packSnapshot,
  readJournal,
  ROOT,
  runKit,
  unpackSnapshot,
  type Engine,
} from "./engines.ts";

// Makes the next migration for both engines, under one number and name, or for neither.
const USAGE = `A migration needs a name of small letters, digits and _ that says what it does:
  npm run db:generate -- add_plan_colours
  npm run db:generate -- guard_plan_colours --custom   (empty files, for SQL of your own)`;
const CUSTOM = "npm run db:generate -- NAME --custom";
/** A migration needs a statement. */
const NOTHING = "-- Nothing changes on this engine.\nselect 1;\n";

process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = readWords();
  if (!wanted) return fail(USAGE, 2);
  const apart = difference();
  if (apart) return fail(apart, 1);
  const changed = await Promise.all(engines.map(changedTables));
  if (!wanted.custom && changed.flat().length === 0)
    return fail(`The schema is as the last migration left it. For SQL of your own: ${CUSTOM}`, 1);
  const takeBack = engines.map(remember);
  try {
    engines.forEach(unpackSnapshot);
    for (const [i, engine] of engines.entries()) await generate(engine, wanted, changed[i]!.length > 0);
  } catch (error) {
    for (const undo of takeBack) undo();
    return fail(`${(error as Error).message} No file was written.`, 1);
  }
  engines.forEach(packSnapshot);
  for (const engine of engines) process.stdout.write(`${relative(ROOT, fileOf(engine))}\n`);
  if (wanted.custom) console.error("Once the SQL is written, run: npm run db:definitions");
  else return sayDefinitions();
  return 0;
}

/** Lists what the new migration makes, and says what to do where that is not possible. */
async function sayDefinitions(): Promise<number> {
  const { why, refused } = await listDefinitions();
  if (why === null) return 0;
  console.error(why);
  if (!refused) return 0;
  console.error("Mend its SQL and run `npm run db:definitions`, or take the new files back (docs/adding/table.md).");
  return 1;
}

interface Wanted {
  name: string;
  custom: boolean;
}

function readWords(): Wanted | null {
  try {
    const options = { custom: { type: "boolean", default: false } } as const;
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [name = "", ...more] = positionals;
    return /^[a-z][a-z0-9_]*$/.test(name) && more.length === 0 ? { name, custom: values.custom } : null;
  } catch {
    return null;
  }
}

/** An engine without changes gets an empty migration, so that both have the same numbers. */
async function generate(engine: Engine, { name, custom }: Wanted, isChanged: boolean): Promise<void> {
  const before = readJournal(engine).length;
  const byHand = custom || !isChanged;
  const { code } = await runKit(engine, ["generate", "--name", name, ...(byHand ? ["--custom"] : [])], "ask");
  if (code !== 0 || readJournal(engine).length !== before + 1)
    throw new Error(`drizzle-kit made no migration for ${engine}.`);
  if (byHand && !custom) writeFileSync(fileOf(engine), NOTHING);
}

function fileOf(engine: Engine): string {
  return join(folderOf(engine), `${readJournal(engine).at(-1)}.sql`);
}

/** Returns a function that restores an engine's migrations to their present state. */
function remember(engine: Engine): () => void {
  const folders = [folderOf(engine), join(folderOf(engine), "meta")];
  const known = new Set(folders.flatMap(filesIn));
  const journal = join(folders[1]!, "_journal.json");
  const text = readFileSync(journal);
  return () => {
    for (const file of folders.flatMap(filesIn)) if (!known.has(file)) rmSync(file);
    writeFileSync(journal, text);
  };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

function fail(text: string, code: number): number {
  console.error(text);
  return code;
}
