import { setTimeout } from "node:timers/promises";
import { withConnection } from "../../support/own-connection.ts";
import { databaseIn, ENGINE, type Place } from "../../support/databases.ts";
import { runCommand, spawnCommand, type Ran } from "../../support/run-command.ts";

/** By then a server in this process has received a command's announcements (server/app/outbox.ts). */
const DELIVERY_MS = 100;

/** Runs a command on the data of a place such as a world, and waits until a server here has noticed. */
export async function operate(place: Place, ...words: string[]): Promise<Ran> {
  const ran = await runCommand({ ...place.env }, words);
  await setTimeout(DELIVERY_MS);
  return ran;
}

/** The same for a command that asks for a secret. */
export async function operateWith(secret: string, place: Place, ...words: string[]): Promise<Ran> {
  const ran = await runCommand({ ...place.env }, words, secret);
  await setTimeout(DELIVERY_MS);
  return ran;
}

/** The same in a process of its own. */
export async function operateApart(place: Place, ...words: string[]): Promise<Ran> {
  const ran = await spawnCommand({ ...place.env }, words);
  await setTimeout(DELIVERY_MS);
  return ran;
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

/** A command that was refused leaves a row of that, and a word to the servers, as it should. */
const LEFT_OUT: Record<string, string> = {
  operator_acts: " where 1 = 0",
  sqlite_sequence: " where name <> 'outbox'",
  outbox: " where topic <> 'operator.acted'",
};

/** Every row of every table but what is noted of operators: to see that nothing changed. */
export function everything(place: Place): Promise<Record<string, unknown[]>> {
  return withConnection(databaseIn(place), async (connection) => {
    const tables: Record<string, unknown[]> = {};
    for (const { name } of await connection.all<{ name: string }>(TABLES[ENGINE]))
      tables[name] = await connection.all(`select * from ${name}${LEFT_OUT[name] ?? ""}`);
    return tables;
  });
}
