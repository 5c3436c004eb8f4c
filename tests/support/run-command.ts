import { execFile } from "node:child_process";
import { run } from "#server/admin/run.ts";
import { ENGINE } from "./databases.ts";
import { program } from "./program.ts";

/** The outcome of an operator's command. */
export interface Ran {
  exit: number;
  out: string;
  err: string;
}

type Environment = Record<string, string>;

/** They write their progress, heed signals or start programs. */
const FOR_A_PROCESS = /^(listing|video):import$/;

/** A process has one schema, in the SQL of its engine. */
const isOfThisEngine = (env: Environment) => (env.DATABASE_URL === undefined) === (ENGINE === "sqlite");

/**
 * Runs an operator's command as entered. It has its own connection to the database, but runs in this process: a new one
 * would first load the program.
 */
export async function runCommand(env: Environment, words: string[], secret = ""): Promise<Ran> {
  if (FOR_A_PROCESS.test(words[0] ?? "") || !isOfThisEngine(env)) return spawnCommand(env, words, secret);
  const ran = { exit: 0, out: "", err: "" };
  ran.exit = await run(words, {
    env: { PATH: process.env.PATH, ...env },
    out: (text) => (ran.out += text),
    err: (text) => (ran.err += text),
    secret: () => Promise.resolve(secret),
  });
  return ran;
}

/** The same in a process of its own. */
export function spawnCommand(env: Environment, words: string[], secret = ""): Promise<Ran> {
  const options = { env: { PATH: process.env.PATH ?? "", ...env } };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...program("server/admin/main.ts"), ...words],
      options,
      (error, out, err) => {
        resolve({ exit: error ? Number(error.code) : 0, out, err });
      },
    );
    child.stdin!.end(secret);
  });
}
