import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type Sqlite from "better-sqlite3";
import { isDatabaseAway } from "#db/away.ts";
import { clockOf, type Clock, type ClockSource } from "#shared/time.ts";
import { Lease } from "./timed-transaction.ts";
import { portable, type Request, type Response, type TakeOver } from "./protocol.ts";
import { check, closeQuietly, Damaged, probe, takeOver } from "./take-over.ts";
import { endsConnection } from "./trouble.ts";

export interface Workbench {
  raw: Sqlite.Database;
  clock: Clock;
}

export interface TurnBench extends Workbench {
  /** Tells of a failure that a piece of work does not throw, because a part of it is committed. */
  failed(error: unknown): void;
}

/** Done in one go, with its own transaction. */
export type Turn = (bench: TurnBench, input: never) => unknown;
/** Done in many goes of at most 20 ms; what it yields is heard at once, what it returns ends it. */
export type Job = (bench: Workbench, input: never) => Generator<unknown, unknown>;

/** How often, under load, the write lock is left free for other processes, and for how long. */
const BREATH_EVERY_MS = 50;
const BREATH_MS = 1;

/**
 * Runs this thread as the owner of the process's only write connection. It ends, and says so, when the disk fails: the
 * connection is never used again. A file that is damaged is thrown as Damaged.
 */
export function runWriter(turns: Record<string, Turn>, jobs: Record<string, Job>): void {
  const { file, isDoubted, clock } = workerData as TakeOver & { clock: ClockSource };
  const port = parentPort!;
  let raw: Sqlite.Database;
  try {
    raw = takeOver(file, isDoubted);
  } catch (error) {
    return sayEnded(port, error);
  }
  new Writer(port, file, raw, clockOf(clock), turns, jobs).listen();
  port.postMessage({ ready: true } satisfies Response);
}

/** Ends this thread by its last word, or by throwing what another thread would not mend. */
function sayEnded(port: MessagePort, error: unknown): void {
  if (error instanceof Damaged || !isDatabaseAway(error)) throw error;
  port.postMessage({ ended: portable(error) } satisfies Response);
  port.close();
}

type TurnRequest = Extract<Request, { ask: "turn" | "probe" }>;

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
  readonly #bench: TurnBench;
  readonly #turns: Record<string, Turn>;
  readonly #jobs: Record<string, Job>;
  readonly #lease: Lease;
  readonly #probe: (isDoubted: boolean) => void;
  readonly #waitingTurns: TurnRequest[] = [];
  readonly #waitingLeases: number[] = [];
  readonly #runningJobs: RunningJob[] = [];
  #isRunning = false;
  /** What ended the connection. */
  #end: unknown = null;

  constructor(
    port: MessagePort,
    file: string,
    raw: Sqlite.Database,
    clock: Clock,
    turns: Record<string, Turn>,
    jobs: Record<string, Job>,
  ) {
    this.#port = port;
    this.#probe = (isDoubted) => {
      if (isDoubted) check(file);
      probe(raw);
    };
    this.#bench = { raw, clock, failed: (error) => this.#learn(error) };
    this.#turns = turns;
    this.#jobs = jobs;
    this.#lease = new Lease(raw, { answer: (id, answer) => this.#say({ id, answer }), fail: this.#fail.bind(this) });
  }

  listen(): void {
    this.#port.on("message", (request: Request) => this.#hear(request));
  }

  #say(response: Response): void {
    this.#port.postMessage(response);
  }

  #fail(id: number, error: unknown): void {
    this.#say({ id, error: portable(error) });
    this.#judge(error);
  }

  #learn(error: unknown): void {
    this.#say({ failed: portable(error) });
    this.#judge(error);
  }

  #judge(error: unknown): void {
    if (!endsConnection(error)) return;
    this.#end ??= error;
    this.#lease.abandon();
  }

  #hear(request: Request): void {
    // What is still asked of a connection that ended is not done; the other side knows.
    if (this.#end) return;
    if (request.ask === "close") return this.#close(request.id);
    if (request.ask === "turn" || request.ask === "probe") this.#waitingTurns.push(request);
    else if (request.ask === "begin") this.#waitingLeases.push(request.id);
    else if (request.ask === "job") {
      const { id, name, input } = request;
      this.#runningJobs.push({ id, pieces: this.#jobs[name]!(this.#bench, input as never) });
    } else this.#lease.hear(request);
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#takeTurns();
  }

  async #takeTurns(): Promise<void> {
    let breathedAt = performance.now();
    while (!this.#end && this.#waitingTurns.length + this.#waitingLeases.length + this.#runningJobs.length > 0) {
      const turn = this.#waitingTurns.shift();
      if (turn) this.#take(turn);
      const lease = this.#end ? undefined : this.#waitingLeases.shift();
      if (lease !== undefined) await this.#lease.run(lease);
      const job = this.#end ? undefined : this.#runningJobs.shift();
      if (job && this.#step(job)) this.#runningJobs.push(job);
      if (performance.now() - breathedAt > BREATH_EVERY_MS) {
        await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
        breathedAt = performance.now();
      } else await new Promise(setImmediate);
    }
    this.#isRunning = false;
    if (this.#end) this.#leave();
  }

  #take(request: TurnRequest): void {
    const { id } = request;
    try {
      if (request.ask === "probe") this.#say({ id, answer: this.#probe(request.isDoubted) });
      else this.#say({ id, answer: this.#turns[request.name]!(this.#bench, request.input as never) });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Whether there is more to do. */
  #step({ id, pieces }: RunningJob): boolean {
    try {
      const { done, value } = pieces.next();
      if (done) this.#say({ id, answer: value });
      else if (value !== undefined) this.#say({ id, piece: value });
      return !done;
    } catch (error) {
      this.#fail(id, error);
      return false;
    }
  }

  #leave(): void {
    closeQuietly(this.#bench.raw);
    sayEnded(this.#port, this.#end);
  }

  #close(id: number): void {
    this.#bench.raw.close();
    this.#say({ id, answer: null });
    this.#port.close();
  }
}
