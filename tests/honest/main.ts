import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { ENGINES, runOn, type Engine } from "../support/command-engine.ts";
import { runFolder } from "../support/run-folder.ts";

/*
 * Lets a site of three servers live honestly for many rounds, through kills, restores and a beacon that is away, and asks
 * everybody who checks whether they find anything.
 */
const USAGE = `usage: npm run honest [-- [--engine sqlite|postgres] [--rounds N] [--seed N]]

Three servers play all kinds of games. They are killed at any moment, stand still for an hour, lose rounds to an older
backup, and wait for a beacon that is away. Phones, a witness, a stranger and the audit check everything.

  --engine E   on this database; without it on SQLite
  --rounds N   rounds of each kind; without it 10000
  --seed N     another order of what happens

Exit 0: nobody found anything. 1: somebody did, or it could not be played, with the reason. 2: wrong usage.`;

const GAMES_A_KIND = 10;
/** Minutes between two kills. */
const KILL_EVERY = 10;
const ROUNDS = 10_000;

/** Whoever checks reads everything anew, so a long life has longer chapters and not more of them. */
const chaptersOf = (minutes: number) => ({ chapter: Math.max(50, Math.ceil(minutes / 10)), restoreEvery: 2 });

process.exit(await main(process.argv.slice(2)));

async function main(words: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const options = { engine: text, rounds: text, seed: text, help: { type: "boolean" } } as const;
  let given;
  try {
    given = parseArgs({ args: words, options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    return 2;
  }
  const { engine = "sqlite", rounds = String(ROUNDS), seed = "1", help } = given;
  const chosen = ENGINES.find((one) => one === engine);
  const isFine = chosen && [rounds, seed].every((one) => /^[1-9]\d{0,8}$/.test(one));
  if (help || !isFine) {
    process[help ? "stdout" : "stderr"].write(`${USAGE}\n`);
    return help ? 0 : 2;
  }
  return live(chosen, Number(rounds), Number(seed));
}

async function live(engine: Engine, rounds: number, seed: number): Promise<number> {
  process.env.TMPDIR = runFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
  const stop = await runOn(engine);
  const begunAt = Date.now();
  const say = (line: string) => process.stdout.write(`[${Math.round((Date.now() - begunAt) / 1000)} s] ${line}\n`);
  try {
    const { HonestLife } = await import("./honest-life.ts");
    const minutes = Math.ceil(rounds / GAMES_A_KIND);
    const plan = { minutes, gamesAKind: GAMES_A_KIND, houses: 3, killEvery: KILL_EVERY, ...chaptersOf(minutes), seed };
    const life = new HonestLife(plan, say);
    const { alarms, ...lived } = await life.live();
    say(JSON.stringify(lived));
    say(alarms.length === 0 ? "Nobody found anything." : `${alarms.length} alarms.`);
    return alarms.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  } finally {
    await stop();
  }
}
