import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { ENGINES, runOn, type Engine } from "../support/command-engine.ts";
import { canStart } from "../support/postgres-server.ts";
import { program } from "../support/program.ts";
import { runFolder } from "../support/run-folder.ts";

/*
 * Plays the cheats of docs/cheats.md, and asks everybody who is to find them.
 */
const USAGE = `usage: npm run cheats [-- [--engine sqlite|postgres] [--row ROW]]

Plays each cheat of docs/cheats.md on a copy of a site that has played, or by a server that answers otherwise, and
prints who found it: the audit, a member's app, two members, a witness, a stranger with npm run verify -- log.

  --engine E   on this database alone; without it on SQLite, and on PostgreSQL if there is one
  --row ROW    one row of the table, by its name or number

Exit 0: whoever is to find a cheat today found it, and nobody found one where the house was honest. 1: not so, or it
could not be tried, with the reason. 2: wrong usage.`;

/** A phone keeps what it keeps in memory here. */
const NO_STORE = ["--no-experimental-webstorage"];

// A site whose making failed would keep the program alive.
process.exit(await main(process.argv.slice(2)));

async function main(words: string[]): Promise<number> {
  const given = parse(words);
  if (typeof given === "string") {
    const isAsked = given === USAGE;
    (isAsked ? process.stdout : process.stderr).write(isAsked ? `${USAGE}\n` : `${given}\n\n${USAGE}\n`);
    return isAsked ? 0 : 2;
  }
  try {
    return given.engine ? await play(given.engine, given.row) : playOnBoth(words);
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  }
}

interface Arguments {
  engine: Engine | undefined;
  row: string | undefined;
}

function parse(words: string[]): Arguments | string {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ args: words, options: { engine: text, row: text, help: { type: "boolean" } } });
    if (values.help) return USAGE;
    const engine = ENGINES.find((one) => one === values.engine);
    return values.engine === undefined || engine ? { engine, row: values.row } : `There is no engine ${values.engine}.`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Each engine in a process of its own: the schema is one engine's from the first import on. */
function playOnBoth(words: string[]): number {
  const engines = ENGINES.filter((engine) => engine === "sqlite" || canStart());
  const exits = engines.map((engine) => {
    const args = [...NO_STORE, ...program("tests/cheats/main.ts"), "--engine", engine, ...words];
    return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
  });
  if (!canStart()) process.stderr.write("NOT RUN: PostgreSQL. There is none; set DATABASE_URL or install it.\n");
  return Math.max(...exits);
}

async function play(engine: Engine, row: string | undefined): Promise<number> {
  process.env.TMPDIR = runFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
  const stop = await runOn(engine);
  try {
    const { rowNamed, tryAll, unplayed } = await import("./trial/try-all.ts");
    const { playedSite } = await import("./trial/played-site.ts");
    const { CHEATS } = await import("./table.ts");
    const rows = row === undefined ? CHEATS : [rowNamed(row)];
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    say(`The cheats on ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}`);
    const site = await playedSite();
    const wrong = await tryAll(site, rows, say).finally(() => site.close());
    say(unplayed(rows));
    for (const one of wrong) process.stderr.write(`WRONG ${one}\n`);
    return wrong.length > 0 ? 1 : 0;
  } finally {
    await stop();
  }
}
