import type pg from "pg";
import type { ConnectOptions, Db } from "#db/connect.ts";
import { clockOf, type Clock } from "#shared/time.ts";
import { dump } from "./dump.ts";
import { openNews } from "./news.ts";
import { Pool, STEADY_PLANS } from "./pool.ts";
import { Pulse } from "./pulse.ts";
import { DatabaseTime } from "./time.ts";
import { Transactions, typed } from "./transactions.ts";

/** Connections of one process: for reads, for writes, and one that listens (`news.ts`). */
const READERS = 6;
const WRITERS = 8;
/** What others commit without saying so, such as bets, is seen this soon in what was kept. */
const STAMP_MS = 50;

/** What a piece of the engine's own work has at hand. */
export interface Desk {
  pool: pg.Pool;
  /** By the database's clock, unless a test turns one by hand. */
  clock: Clock;
  /** Null where the statement itself asks the database for the time. */
  nowIfHandedIn(): number | null;
}

/** Done in one go, committed when it answers. */
export type Turn = (desk: Desk, input: never) => Promise<unknown>;
/** Done in many goes, and what it yields is committed; or in one that takes long. What it returns ends it. */
export type Job = (desk: Desk, input: never) => AsyncGenerator<unknown, unknown> | Promise<unknown>;

export interface Trades {
  turns: Record<string, Turn>;
  jobs: Record<string, Job>;
}

/** A PostgreSQL that any number of processes share. */
export async function connectPostgres(url: string, { trades, clock: source }: ConnectOptions): Promise<Db> {
  const [readers, writers] = [new Pool(url, READERS), new Pool(url, WRITERS, STEADY_PLANS)];
  const pulse = new Pulse(url, [readers, writers]);
  const local = clockOf(source);
  const time = new DatabaseTime(readers, local.now);
  const isWall = source.kind === "wall";
  if (isWall) await time.start();
  const clock: Clock = isWall ? { ...local, now: () => local.now() + time.aheadMs } : local;
  const desk: Desk = { pool: writers, clock, nowIfHandedIn: () => (isWall ? null : clock.now()) };
  const { turns, jobs } = await trades();
  const transactions = new Transactions(writers);
  const commits = new Commits();
  return {
    engine: "postgres",
    clock,
    read: typed(readers),
    transact: (work, kind) => commits.after(transactions.transact(work, kind)),
    turn: (name, input) => commits.after(turns[name]!(desk, input as never)) as Promise<never>,
    job: (name, input, heard) =>
      run(jobs[name]!(desk, input as never), (piece) => {
        commits.count();
        heard(piece as never);
      }) as Promise<never>,
    snapshot: (work) => snapshot(readers, work),
    stamp: () => commits.next(),
    lately: () => commits.lately(),
    listen: (wake) =>
      openNews(url, readers, () => {
        commits.count();
        wake();
      }),
    backup: (file) => dump(url, file),
    ping: () => pulse.look(),
    async close() {
      time.stop();
      await Promise.all([pulse.stop(), writers.end(), readers.end()]);
    },
  };
}

/** What this process has committed or heard of, as a number that changes with it, and with time for all the rest. */
class Commits {
  #count = 0;
  #asked = 0;

  count(): void {
    this.#count++;
  }

  async after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      this.count();
    }
  }

  next(): number {
    return ++this.#asked;
  }

  lately(): number {
    return this.#count * 1e6 + (Math.floor(performance.now() / STAMP_MS) % 1e6);
  }
}

async function run(pieces: ReturnType<Job>, heard: (piece: unknown) => void): Promise<unknown> {
  if (pieces instanceof Promise) return pieces;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return value;
    if (value !== undefined) heard(value);
  }
}

/** One moment for as long as it takes: the limits that keep others safe hold writers up, not those who only read. */
async function snapshot<T>(pool: pg.Pool, work: (read: Db["read"]) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`begin isolation level repeatable read read only;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    const result = await work(typed(client));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
