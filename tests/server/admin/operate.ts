import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { program } from "../../support/program.ts";

/** What one of the operator's commands came to. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

/** By then a server here has heard what a command announced (server/outbox.ts). */
const HEARD_MS = 100;

/** Runs a command as the operator does, in a process of its own, on the data in `folder`, and lets a server here hear it. */
export async function operate(folder: string, ...words: string[]): Promise<Ran> {
  const ran = await run(folder, words);
  await setTimeout(HEARD_MS);
  return ran;
}

function run(folder: string, words: string[]): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? "", DATA_DIR: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [...program("server/admin/main.ts"), ...words], { env }, (error, out, err) => {
      resolve({ exit: error ? Number(error.code) : 0, out, err });
    });
  });
}

/** The same with `--json`: what a program is told. Its shape is for the test to check. */
export async function ask<T = unknown>(folder: string, ...words: string[]): Promise<T> {
  const { exit, out, err } = await operate(folder, ...words, "--json");
  if (exit !== 0) throw new Error(`${words.join(" ")}: exit ${exit} ${out}${err}`);
  return JSON.parse(out) as T;
}

/** Every row of every table: to see that nothing changed. */
export function everything(folder: string): Record<string, unknown[]> {
  const raw = new Sqlite(join(folder, "trio.db"), { readonly: true });
  try {
    const tables = raw.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
    return Object.fromEntries(tables.map((table) => [table, raw.prepare(`select * from ${table}`).all()]));
  } finally {
    raw.close();
  }
}
