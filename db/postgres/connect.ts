import type pg from "pg";
import { codeOf, isDatabaseAway } from "#db/away.ts";
import type { ConnectOptions, Db } from "#db/db.ts";
import { WriteGate } from "#db/write-gate.ts";
import type { AwayReason } from "#shared/contract/events.ts";
import { clockOf, type Clock, type ClockSource } from "#shared/time.ts";
import { dump } from "./dump.ts";
import { openOutboxReader } from "./outbox-reader.ts";
import { leadingTo, Pool, WRITER_SESSION } from "./pool.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Lineage } from "./lineage.ts";
import { DatabaseTime } from "./time.ts";
import { Transactions, typed } from "./transactions.ts";
import type { BatchContext, Job, Reading } from "./work.ts";

/** Connections of one process. Besides these, one listens (`outbox-reader.ts`) and one is the heartbeat's. */
const READERS = 6;
const WRITERS = 8;
/** Codes that stop every write: the disk is full or fails, or the server is a read-only replica. */
const CANNOT_WRITE: Record<string, AwayReason> = { "53100": "full", "25006": "readonly", "58030": "failing" };
/** Within this time a cache sees other processes' commits without an outbox row, such as bets. */
const STAMP_MS = 50;

/** Opens a PostgreSQL, which any number of processes may share. */
export async function connectPostgres(url: string, { postgresWork, clock: source, onFatal: die }: ConnectOptions) {
  const lineage = new Lineage(die);
  const [readers, writers] = openPools(url, lineage, () => heartbeat.distrust());
  const { heartbeat, gate } = watchWrites(url, { pools: [readers, writers], lineage });
  const { clock, time, reading } = await openClock(readers, source);
  const failed = (error: unknown) => gate.report(error);
  const context: BatchContext = { pool: writers, clock, reading, failed, committed: lineage.noteBets };
  const [{ batches, jobs }, transactions] = [await postgresWork(), new Transactions(writers)];
  const commits = new Commits();
  const db: Db = {
    engine: "postgres",
    clock,
    read: typed(readers),
    transact: (work, kind, turn) => commits.afterNews(gate.pass(() => transactions.transact(work, kind, turn))),
    batch: (name, input) => commits.after(gate.pass(() => batches[name]!(context, input as never))) as Promise<never>,
    job: (name, input, onPiece) =>
      gate.pass(() => run(jobs[name]!(context, input as never), commits.counting(onPiece))) as Promise<never>,
    snapshot: (work) => snapshot(readers, work),
    stamp: () => commits.next(),
    staleStamp: () => commits.stale(),
    newsStamp: () => commits.news(),
    listen: (wake, hear) =>
      openOutboxReader(url, readers, { wake: commits.countingNews(wake), hear, noteRead: lineage.noteRead }),
    mention: async (text) => void (await readers.query("select pg_notify('mentions', $1)", [text])),
    waits: () => ({ read: readers.waits(), write: writers.waits() }),
    backup: (file) => dump(url, file),
    ping: () => heartbeat.check().then(() => gate.check()),
    away: () => gate.reason,
    onAway: (listener) => gate.onChange(listener),
    async close() {
      time.stop();
      gate.stop();
      await Promise.all([heartbeat.stop(), writers.end(), readers.end()]);
    },
  };
  return db;
}

function openPools(url: string, lineage: Lineage, onAstray: () => void): [readers: Pool, writers: Pool] {
  const verify = leadingTo(lineage, onAstray);
  return [new Pool(url, READERS, verify), new Pool(url, WRITERS, { ...WRITER_SESSION, ...verify })];
}

function watchWrites(
  url: string,
  watched: { pools: Pool[]; lineage: Lineage },
): { heartbeat: Heartbeat; gate: WriteGate } {
  const heartbeat = new Heartbeat(url, watched, (reason, cause) => gate.shut(reason, cause));
  const gate = new WriteGate({
    probe: () => heartbeat.probe(),
    diagnose(error) {
      const reason = CANNOT_WRITE[codeOf(error) ?? ""] ?? null;
      // A lost connection may be the first sign of a lost database: the heartbeat checks at once.
      if (!reason && isDatabaseAway(error)) heartbeat.checkSoon();
      return reason;
    },
  });
  return { heartbeat, gate };
}

async function openClock(pool: Pool, source: ClockSource) {
  const local = clockOf(source);
  const time = new DatabaseTime(pool, local.elapsed ?? local.now);
  const isWall = source.kind === "wall";
  if (isWall) await time.start();
  const clock: Clock = isWall ? { ...local, now: () => time.now() } : local;
  return { clock, time, reading: () => readingOf(source, clock) };
}

function readingOf(source: ClockSource, clock: Clock): Reading {
  if (source.kind === "scaled") return source;
  return source.kind === "wall" ? { from: 0, startedAt: 0, speed: 1 } : { from: clock.now(), startedAt: 0, speed: 0 };
}

/** Counts this process's commits and the news from others. The stale stamps also change with time, for all the rest. */
class Commits {
  #count = 0;
  /** Those of them that may be told by the outbox: all but bets and settlements. */
  #news = 0;
  #reads = 0;

  count(): void {
    this.#count++;
  }

  #countNews(): void {
    this.#count++;
    this.#news++;
  }

  counting(onPiece: (piece: never) => void): (piece: unknown) => void {
    return (piece) => {
      this.count();
      onPiece(piece as never);
    };
  }

  countingNews(wake: () => void): () => void {
    return () => {
      this.#countNews();
      wake();
    };
  }

  after<T>(work: Promise<T>): Promise<T> {
    return work.finally(() => this.count());
  }

  afterNews<T>(work: Promise<T>): Promise<T> {
    return work.finally(() => this.#countNews());
  }

  next(): number {
    return ++this.#reads;
  }

  stale(): number {
    return withTime(this.#count);
  }

  news(): number {
    return withTime(this.#news);
  }
}

const withTime = (count: number) => count * 1e6 + (Math.floor(performance.now() / STAMP_MS) % 1e6);

async function run(pieces: ReturnType<Job>, onPiece: (piece: unknown) => void): Promise<unknown> {
  if (pieces instanceof Promise) return pieces;
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      if (value !== undefined) onPiece(value);
    }
  } finally {
    // Where a listener threw: statements that are under way end first.
    await pieces.return(undefined);
  }
}

/** Reads one snapshot, without the session's time limits: a reader blocks no writer. */
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
