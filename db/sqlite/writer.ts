import { parentPort, workerData } from "node:worker_threads";
import type Sqlite from "better-sqlite3";
import { clockOf, type Clock, type ClockSource } from "#shared/time.ts";
import { Lease } from "./lease.ts";
import { openSqlite } from "./open.ts";
import type { Request, Response } from "./protocol.ts";

export interface Workbench {
  raw: Sqlite.Database;
  clock: Clock;
}

/** Done in one go, with its own transaction. */
export type Turn = (bench: Workbench, input: never) => unknown;
/** Done in many goes of at most 20 ms; what it yields is heard at once, what it returns ends it. */
export type Job = (bench: Workbench, input: never) => Generator<unknown, unknown>;

/** How often, under load, the write lock is left free for other processes, and for how long. */
const BREATH_EVERY_MS = 50;
const BREATH_MS = 1;

/**
 * The thread that owns the process's only write connection. It takes turns: a
 * turn (a batch of bets), a lease (somebody's transaction), a piece of a job
 * (settlement, sealing), and a breath for other processes.
 */
export function runWriter(turns: Record<string, Turn>, jobs: Record<string, Job>): void {
  const { file, clock } = workerData as { file: string; clock: ClockSource };
  const bench: Workbench = { raw: openSqlite(file), clock: clockOf(clock) };
  const port = parentPort!;
  const answer = (response: Response) => port.postMessage(response);
  const waiting = { turns: [] as Request[], leases: [] as Request[], jobs: [] as RunningJob[] };
  const lease = new Lease(bench.raw, answer);
  let running = false;

  function attempt(id: number, work: () => unknown): void {
    try {
      answer({ id, answer: work() });
    } catch (error) {
      answer({ id, error: portable(error) });
    }
  }

  function step(job: RunningJob): boolean {
    try {
      const { done, value } = job.pieces.next();
      if (done) answer({ id: job.id, answer: value });
      else if (value !== undefined) answer({ id: job.id, piece: value });
      return !done;
    } catch (error) {
      answer({ id: job.id, error: portable(error) });
      return false;
    }
  }

  async function takeTurns(): Promise<void> {
    let breathedAt = performance.now();
    while (waiting.turns.length + waiting.leases.length + waiting.jobs.length > 0) {
      const turn = waiting.turns.shift();
      if (turn?.ask === "turn") attempt(turn.id, () => turns[turn.name]!(bench, turn.input as never));
      const next = waiting.leases.shift();
      if (next) await lease.run(next.id);
      const job = waiting.jobs.shift();
      if (job && step(job)) waiting.jobs.push(job);
      if (performance.now() - breathedAt > BREATH_EVERY_MS) {
        await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
        breathedAt = performance.now();
      } else await new Promise(setImmediate);
    }
    running = false;
  }

  port.on("message", (request: Request) => {
    if (request.ask === "close") return close(request.id);
    if (request.ask === "turn") waiting.turns.push(request);
    else if (request.ask === "begin") waiting.leases.push(request);
    else if (request.ask === "job") {
      const { id, name, input } = request;
      waiting.jobs.push({ id, pieces: jobs[name]!(bench, input as never) });
    } else return lease.hear(request);
    if (!running) {
      running = true;
      void takeTurns();
    }
  });

  function close(id: number): void {
    bench.raw.close();
    answer({ id, answer: null });
    port.close();
  }
}

interface RunningJob {
  id: number;
  pieces: Generator<unknown, unknown>;
}

export function portable(error: unknown): { message: string; code: string | undefined } {
  const { message, code } = error as { message: string; code?: string };
  return { message: String(message), code };
}
