import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { ENGINES, runOn, type Engine } from "../support/command-engine.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { canFail } from "../support/disk-fault.ts";
import { canStart, startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { program } from "../support/program.ts";
import { haproxy } from "../support/proxy.ts";
import { runFolder } from "../support/run-folder.ts";
import type { Report } from "./judge.ts";

const PARTS: readonly string[] = [
  "kills",
  "cuts",
  "network",
  "machine",
  "clocks",
  "database",
  "failover",
  "soak",
  "planted",
];

const USAGE = `usage: npm run torture [-- [PART…] [--engine sqlite|postgres] [--kills N] [--cuts N] [--minutes N] [--wall] [--seed N] [--bug WORDS]]

Members bet, spin, top up, withdraw, buy and upload, and operators decide, credit, import, back up and move, while the
server is killed: at each step of each money path, and at any moment. Then everything that anybody was told is compared
with the database, with the public draws, and with what one wallet could have told.

  kills        as above. With an even seed files lie in a bucket
  cuts         a run on SQLite is recorded from its first start, each write and sync; then the power is cut anywhere, and
               what was not synced is forgotten, torn and reordered. With an even seed files lie in a bucket
  network      members reach the servers, two on PostgreSQL, through a network that cuts, holds, doubles, loses and
               reorders, while servers sleep
  machine      the disk is full, read-only, broken or slow, file handles are used up, or memory is, for some seconds each
  clocks       a server's clock is set ahead or back by seconds, hours, a day or a year, and set right again: at any moment, at
               a round's closing, before its draw, while the server is down or starts. Two servers on PostgreSQL, one of
               which is wrong. Where nothing opens for long, time is moved on
  database     PostgreSQL crashes, freezes, loses all its connections, others hold long transactions and locks, and a vacuum
               is late: each in turn
  failover     PostgreSQL dies behind two servers and HAProxy, and its replica is promoted: a synchronous one, then one that is
               behind, of which the operator says that it was restored
  soak         a day of rounds in ten minutes, by a clock that is 144 times as fast, with devices that come and go: memory,
               handles, log, outbox and database stay as small as they may. Not among what runs by itself
  planted      runs of a product with a known bug, on SQLite; each must be found. Not among what runs by itself

  --engine E   on this database; without it on SQLite, and on PostgreSQL if there is one
  --kills N    so many kills; without it 70, which reach every step
  --cuts N     so many power cuts; without it 300. As many as the recording has events is every prefix
  --bug WORDS  of the planted bugs, those with these words in their name
  --minutes N  so long lies the network, runs the machine short, are clocks set, and is the database struck; without it 1. The longest cut is a sixth of that, and
               120 s at most. A soak takes 10
  --wall       a soak by the machine's own clock; without --minutes for an hour
  --seed N     other moments

Exit 0: nothing is wrong. 1: something is, or it could not be tried, with the reason. 2: wrong usage.`;

const OWN = "Only a PostgreSQL of our own is struck";
const NO_HAPROXY = "A PostgreSQL of our own and HAProxy are needed";

process.exit(await main(process.argv.slice(2)));

async function main(words: string[]): Promise<number> {
  const text = { type: "string" } as const;
  let given;
  try {
    const options = {
      engine: text,
      kills: text,
      cuts: text,
      minutes: text,
      seed: text,
      bug: text,
      wall: { type: "boolean" },
      help: { type: "boolean" },
    } as const;
    given = parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    return 2;
  }
  const { engine, kills = "70", cuts = "300", minutes, seed = "1", bug = "", wall = false, help } = given.values;
  const parts = given.positionals.length > 0 ? given.positionals : PARTS.slice(0, 7);
  const chosen = ENGINES.find((one) => one === engine);
  const areNumbers = [kills, cuts, minutes ?? "1", seed].every((one) => /^[1-9]\d{0,8}$/.test(one));
  const areKnown = (chosen || engine === undefined) && parts.every((part) => PARTS.includes(part));
  if (help || !areNumbers || !areKnown) {
    process[help ? "stdout" : "stderr"].write(`${USAGE}\n`);
    return help ? 0 : 2;
  }
  const plan = {
    kills: Number(kills),
    cuts: Number(cuts),
    seed: Number(seed),
    bug,
    wall,
    minutes: Number(minutes ?? 1),
  };
  const soakMinutes = minutes === undefined ? (wall ? 60 : 10) : plan.minutes;
  return chosen ? torment(chosen, parts, { ...plan, soakMinutes }) : onBoth(words);
}

/** Each engine in a process of its own: the schema is one engine's from the first import on. */
function onBoth(words: string[]): number {
  const exits = ENGINES.filter((engine) => engine === "sqlite" || canStart()).map((engine) => {
    const args = [...program("tests/torture/main.ts"), "--engine", engine, ...words];
    return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
  });
  if (!canStart()) process.stderr.write("NOT RUN: PostgreSQL. There is none; set DATABASE_URL or install it.\n");
  return Math.max(...exits);
}

interface Plan {
  kills: number;
  cuts: number;
  minutes: number;
  soakMinutes: number;
  wall: boolean;
  seed: number;
  bug: string;
}

async function torment(engine: Engine, parts: readonly string[], plan: Plan): Promise<number> {
  process.env.TMPDIR = runFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
  const given = process.env.DATABASE_URL;
  // One of our own keeps what it has committed, and may be struck.
  const own = engine === "postgres" && !given ? await startPrivate([]) : null;
  const way = own && (await CuttableProxy.lay(own.url));
  if (own && way) process.env.DATABASE_URL = Object.assign(new URL(own.url), { port: new URL(way.address).port }).href;
  const stop = await runOn(engine);
  const begunAt = Date.now();
  const say = (line: string) => void process.stdout.write(`[${Math.round((Date.now() - begunAt) / 1000)} s] ${line}\n`);
  let wrong = 0;
  try {
    for (const part of parts) {
      const { figures, faults } = await run(part, engine, { ...plan, own, way, say });
      say(`${part} on ${engine}, seed ${plan.seed}: ${JSON.stringify(figures)}`);
      for (const { check, text } of faults) say(`WRONG ${check}: ${text}`);
      wrong += faults.length;
    }
    return wrong > 0 ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  } finally {
    await stop();
    await way?.[Symbol.asyncDispose]();
    await own?.stop();
  }
}

type Struck = Plan & { own: PrivatePostgres | null; way: CuttableProxy | null; say: (line: string) => void };

async function run(part: string, engine: Engine, plan: Struck): Promise<Report> {
  if (part === "kills") return (await import("./kills.ts")).torture(plan);
  if (part === "network") return (await import("./network.ts")).lie(plan);
  if (part === "machine") return (await import("./machine.ts")).runShort(plan);
  if (part === "clocks") return (await import("./clocks.ts")).setClocks(plan);
  if (part === "soak") return soakFor(plan);
  if (part === "planted" && engine === "sqlite") return (await import("./planted.ts")).plantAll(plan);
  if (part === "database" && plan.own) return (await import("./blows.ts")).strike({ ...plan, own: plan.own });
  if (part === "failover" && plan.own && plan.way && haproxy)
    return (await import("./failover.ts")).failOverTwice({ ...plan, own: plan.own, way: plan.way });
  if (part === "cuts" && engine === "sqlite" && canFail) return (await import("./power.ts")).cutPower(plan);
  const why = {
    cuts: "Only SQLite's writes are recorded, by strace",
    planted: "Each bug has its run on SQLite",
    database: OWN,
    failover: NO_HAPROXY,
  };
  plan.say(`NOT RUN: ${part}. ${why[part as keyof typeof why]}.`);
  return { figures: {}, faults: [] };
}

async function soakFor({ soakMinutes: minutes, wall, say }: Struck): Promise<Report> {
  const { soak, DAY_IN_TEN_MINUTES } = await import("./soak.ts");
  return soak({ minutes, speed: wall ? 1 : DAY_IN_TEN_MINUTES, sockets: 80, say });
}
