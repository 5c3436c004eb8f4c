import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { eventually } from "../support/client.ts";
import { ENGINE } from "../support/databases.ts";
import { withConnection } from "../support/own-connection.ts";
import { TEN_SECONDS, type ServerProcess } from "../support/server-process.ts";
import { Crowd } from "./crowd.ts";
import { gaugedIn, type Gauge } from "./gauge.ts";
import { judge, settled, type Fault, type Played, type Report } from "./judge.ts";
import { inherited } from "./plant.ts";
import { openSite } from "./play.ts";
import { growthFaults, slopesOf, type Series, type Slope } from "./slopes.ts";

export interface SoakPlan {
  minutes: number;
  /** How fast the site's clock runs. */
  speed: number;
  /** How many devices are there at once. */
  sockets: number;
  say: (line: string) => void;
}

/** A day's rounds in ten minutes. */
export const DAY_IN_TEN_MINUTES = 144;

const KB = 1_024;
const MB = 1_024 * KB;
const SAMPLES = 24;

/**
 * What may grow, and how much. `run`: caches and chance, however long a run is. A bet itself stays for good: its row, its
 * key, its share of a round, of the public log and of what members do beside; each request is a line of the log.
 */
const ALLOWED: Record<keyof Sample, Series["allowed"]> = {
  heap: { run: 4 * MB, bet: 0 },
  anonymous: { run: 60 * MB, bet: 0 },
  handles: { run: 12, bet: 0 },
  resources: { run: 12, bet: 0 },
  wal: { run: 8 * MB, bet: 0 },
  database: { run: 2 * MB, bet: 6 * KB },
  log: { run: 64 * KB, bet: 6 * KB },
};

/** In bytes, but for handles: open files and sockets; and resources: what keeps the process alive. */
interface Sample {
  heap: number;
  anonymous: number;
  handles: number;
  resources: number;
  wal: number;
  database: number;
  log: number;
}

/** How long rows are kept that go by a job each hour. */
const KEPT_MS = { outbox: HOUR_MS, replays: DAY_MS } as const;
/** They may go an hour later, and so much by our clock, which the job takes on a busy machine. */
const JOB_MS = 15_000;

/** Members play and devices come and go for long, and what the server takes of the machine is measured. */
export async function soak(plan: SoakPlan): Promise<Report> {
  const { speed } = plan;
  // On a fast clock the rounds are as long as those of a real game.
  const game = speed > 10 ? { periodS: 300, closeS: 30 } : { periodS: 10, closeS: 3 };
  const games = [
    { ...TEN_SECONDS, ...game },
    { ...TEN_SECONDS, ...game, key: "other-10s" },
  ];
  const file = join(process.env.TMPDIR ?? "/tmp", `gauge-${process.pid}-${Date.now()}`);
  const env = { LOG_LEVEL: "info", ...gaugedIn(file, inherited().NODE_OPTIONS) };
  const played = await openSite({ env, speed, games });
  try {
    return await new Soaking(plan, played, file).run();
  } finally {
    await played.close();
  }
}

class Soaking {
  readonly #plan: SoakPlan;
  readonly #played: Played;
  readonly #file: string;
  readonly #bets: number[] = [];
  readonly #samples: Sample[] = [];
  readonly #late = new Set<string>();
  #mostOutbox = 0;

  constructor(plan: SoakPlan, played: Played, file: string) {
    this.#plan = plan;
    this.#played = played;
    this.#file = file;
  }

  async run(): Promise<Report> {
    const { load, members } = this.#played;
    const crowd = new Crowd(members, TEN_SECONDS.key, this.#plan.sockets);
    load.start();
    crowd.start();
    const from = performance.now();
    for (let i = 1; i <= SAMPLES; i++) {
      await sleep(Math.max(0, from + (i * this.#plan.minutes * MINUTE_MS) / SAMPLES - performance.now()));
      await crowd.whole(() => this.#look());
    }
    await crowd.stop();
    await load.stop();
    const slopes = slopesOf(this.#bets, this.#series());
    for (const line of tableOf(slopes)) this.#plan.say(line);
    const faults = [
      ...complain("growth", growthFaults(slopes)),
      ...complain("retention", [...this.#late]),
      ...complain("settling", await settled(this.#played)),
      ...(await judge(this.#played)),
    ];
    return { figures: this.#figures(crowd, slopes), faults };
  }

  async #look(): Promise<void> {
    const { server, load } = this.#played;
    const { heapUsed, anonymous, resources } = await this.#gauge();
    const log = server.logged.reduce((sum, text) => sum + text.length, 0);
    const handles = readdirSync(`/proc/${server.launched.pid}/fd`).length;
    this.#bets.push(load.bets.length);
    this.#samples.push({ heap: heapUsed, anonymous, handles, resources, ...(await sizesOf(server)), log });
    await this.#lookForOldRows();
    this.#plan.say(
      `${load.bets.length} bets, ${Math.round(heapUsed / MB)} MB of heap of ${Math.round(anonymous / MB)} MB, ${handles} handles`,
    );
  }

  async #gauge(): Promise<Gauge> {
    const lines = () => (existsSync(this.#file) ? readFileSync(this.#file, "utf8").split("\n").slice(0, -1) : []);
    const before = lines().length;
    process.kill(this.#played.server.launched.pid!, "SIGUSR2");
    return eventually(async () => {
      const now = lines();
      if (now.length === before) throw new Error("the server does not tell its memory");
      return JSON.parse(now.at(-1)!) as Gauge;
    });
  }

  /** Rows that a job should have deleted. */
  async #lookForOldRows(): Promise<void> {
    const { server } = this.#played;
    await withConnection(server.database, async ({ all }) => {
      for (const [table, keptMs] of Object.entries(KEPT_MS)) {
        const before = Math.floor(server.clock.now() - keptMs - HOUR_MS - JOB_MS * this.#plan.speed);
        const [row] = await all<{ old: number }>(`select count(*) as old from ${table} where created_at < ?`, before);
        if (row!.old > 0) this.#late.add(`rows of ${table} are kept longer than ${keptMs / HOUR_MS} hours`);
      }
      const [row] = await all<{ rows: number }>("select count(*) as rows from outbox");
      this.#mostOutbox = Math.max(this.#mostOutbox, row!.rows);
    });
  }

  #series(): Series[] {
    return (Object.keys(ALLOWED) as (keyof Sample)[]).map((name) => ({
      name,
      allowed: ALLOWED[name],
      values: this.#samples.map((sample) => sample[name]),
    }));
  }

  #figures(crowd: Crowd, slopes: Slope[]): Record<string, number> {
    const { load, history, server } = this.#played;
    const perBet = slopes.map(({ name, perBet: slope }) => [`${name}PerBet`, Number(slope.toFixed(3))]);
    return {
      bets: load.bets.length,
      requests: history.asked.length,
      topUps: load.payments.length,
      sockets: crowd.came,
      hours: Math.round((server.clock.now() - this.#played.beganAt) / HOUR_MS),
      mostOutbox: this.#mostOutbox,
      ...Object.fromEntries(perBet),
    };
  }
}

const complain = (check: string, texts: string[]): Fault[] => texts.map((text) => ({ check, text }));

async function sizesOf({ database }: ServerProcess): Promise<{ database: number; wal: number }> {
  if (ENGINE === "sqlite") {
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return { database: sizeOf(database), wal: sizeOf(`${database}-wal`) };
  }
  const text = "select pg_database_size(current_database()) as size";
  const [row] = await withConnection(database, ({ all }) => all<{ size: number }>(text));
  return { database: row!.size, wal: 0 };
}

function tableOf(slopes: Slope[]): string[] {
  const cells = ["what", "first", "last", "a bet", "grown", "allowed"];
  const rows = slopes.map(({ name, first, last, perBet, grown, allowed }) => [
    name,
    ...[first, last].map((value) => String(Math.round(value))),
    perBet.toFixed(2),
    ...[grown, allowed].map((value) => String(Math.round(value))),
  ]);
  return [cells, ...rows].map((row) => row.map((cell, i) => (i ? cell.padStart(13) : cell.padEnd(10))).join(""));
}
