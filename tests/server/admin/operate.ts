import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { askBeside } from "../../support/beside.ts";
import { databaseIn, ENGINE, type Place } from "../../support/databases.ts";
import { program } from "../../support/program.ts";

/** The outcome of an operator's command. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

/** By then a server in this process has received a command's announcements (server/app/outbox.ts). */
const HEARD_MS = 100;

/**
 * Runs a command as the operator does, in its own process, on the data of a place such as a world, and waits until a
 * server here has noticed.
 */
export async function operate(place: Place, ...words: string[]): Promise<Ran> {
  const ran = await run(place, words);
  await setTimeout(HEARD_MS);
  return ran;
}

function run(place: Place, words: string[]): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? "", ...place.env };
  return new Promise((resolve) => {
    execFile(process.execPath, [...program("server/admin/main.ts"), ...words], { env }, (error, out, err) => {
      resolve({ exit: error ? Number(error.code) : 0, out, err });
    });
  });
}

/** The same with `--json`: the output for programs. The test checks its shape. */
export async function ask<T = unknown>(place: Place, ...words: string[]): Promise<T> {
  const { exit, out, err } = await operate(place, ...words, "--json");
  if (exit !== 0) throw new Error(`${words.join(" ")}: exit ${exit} ${out}${err}`);
  return JSON.parse(out) as T;
}

const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table' order by name",
  postgres: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
};

/** Every row of every table: to see that nothing changed. */
export function everything(place: Place): Promise<Record<string, unknown[]>> {
  return askBeside(databaseIn(place), async (beside) => {
    const tables: Record<string, unknown[]> = {};
    for (const { name } of await beside.all<{ name: string }>(TABLES[ENGINE]))
      tables[name] = await beside.all(`select * from ${name}`);
    return tables;
  });
}
