import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type Sqlite from "better-sqlite3";
import { clockOf, type Clock, type ClockSource } from "#shared/time.ts";
import { Lease } from "./lease.ts";
import { openSqlite } from "./open.ts";
import { portable, type Request, type Response } from "./protocol.ts";

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

/** Runs this thread as the owner of the process's only write connection. */
export function runWriter(turns: Record<string, Turn>, jobs: Record<string, Job>): void {
  const { file, clock } = workerData as { file: string; clock: ClockSource };
  const bench = { raw: openSqlite(file), clock: clockOf(clock) };
  new Writer(parentPort!, bench, turns, jobs).listen();
}

interface RunningJob {
  id: number;
  pieces: Generator<unknown, unknown>;
}

/**
 * Takes turns: a turn (a batch of bets), a lease (somebody's transaction), a
 * piece of a job (settlement, sealing), and a breath for other processes.
 */
class Writer {
  readonly #port: MessagePort;
  readonly #bench: Workbench;
  readonly #turns: Record<string, Turn>;
  readonly #jobs: Record<string, Job>;
  readonly #lease: Lease;
  readonly #waitingTurns: Extract<Request, { ask: "turn" }>[] = [];
  readonly #waitingLeases: number[] = [];
  readonly #runningJobs: RunningJob[] = [];
  #isRunning = false;

  constructor(port: MessagePort, bench: Workbench, turns: Record<string, Turn>, jobs: Record<string, Job>) {
    this.#port = port;
    this.#bench = bench;
    this.#turns = turns;
    this.#jobs = jobs;
    this.#lease = new Lease(bench.raw, (response) => this.#answer(response));
  }

  listen(): void {
    this.#port.on("message", (request: Request) => this.#hear(request));
  }

  #answer(response: Response): void {
    this.#port.postMessage(response);
  }

  #hear(request: Request): void {
    if (request.ask === "close") return this.#close(request.id);
    if (request.ask === "turn") this.#waitingTurns.push(request);
    else if (request.ask === "begin") this.#waitingLeases.push(request.id);
    else if (request.ask === "job") {
      const { id, name, input } = request;
      this.#runningJobs.push({ id, pieces: this.#jobs[name]!(this.#bench, input as never) });
    } else return this.#lease.hear(request);
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#takeTurns();
  }

  async #takeTurns(): Promise<void> {
    let breathedAt = performance.now();
    while (this.#waitingTurns.length + this.#waitingLeases.length + this.#runningJobs.length > 0) {
      const turn = this.#waitingTurns.shift();
      if (turn) this.#take(turn);
      const lease = this.#waitingLeases.shift();
      if (lease !== undefined) await this.#lease.run(lease);
      const job = this.#runningJobs.shift();
      if (job && this.#step(job)) this.#runningJobs.push(job);
      if (performance.now() - breathedAt > BREATH_EVERY_MS) {
        await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
        breathedAt = performance.now();
      } else await new Promise(setImmediate);
    }
    this.#isRunning = false;
  }

  #take({ id, name, input }: Extract<Request, { ask: "turn" }>): void {
    try {
      this.#answer({ id, answer: this.#turns[name]!(this.#bench, input as never) });
    } catch (error) {
      this.#answer({ id, error: portable(error) });
    }
  }

  /** Whether there is more to do. */
  #step({ id, pieces }: RunningJob): boolean {
    try {
      const { done, value } = pieces.next();
      if (done) this.#answer({ id, answer: value });
      else if (value !== undefined) this.#answer({ id, piece: value });
      return !done;
    } catch (error) {
      this.#answer({ id, error: portable(error) });
      return false;
    }
  }

  #close(id: number): void {
    this.#bench.raw.close();
    this.#answer({ id, answer: null });
    this.#port.close();
  }
}
