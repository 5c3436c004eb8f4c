import type { MessagePort } from "node:worker_threads";
import type Sqlite from "better-sqlite3";
import { isDatabaseAway } from "#db/away.ts";
import { clockOf, type Clock } from "#shared/time.ts";
import { TimedTransaction, type BeginRequest } from "./timed-transaction.ts";
import { portable, type Request, type Response, type WriterData } from "./protocol.ts";
import { check, closeQuietly, Damaged, probe, takeOver } from "./take-over.ts";
import { endsConnection } from "./disk-errors.ts";

export interface JobContext {
  raw: Sqlite.Database;
  clock: Clock;
}

export interface BatchContext extends JobContext {
  /** Reports a failure that a batch does not throw, because a part of it is committed. */
  failed(error: unknown): void;
}

/** Runs at once, with its own transaction. */
export type Batch = (context: BatchContext, input: never) => unknown;
/** Runs in many steps of at most 20 ms. What it yields is posted at once. Its return value ends it. */
export type Job = (context: JobContext, input: never) => Generator<unknown, unknown>;
/** Loads a job when it is first asked for: a new thread starts sooner without what a rare job needs. */
export type LoadJob = () => Promise<Job>;

/** How often, under load, the write lock is left free for other processes, and for how long. */
const YIELD_EVERY_MS = 50;
const YIELD_MS = 1;

/** What a writer thread runs, besides transactions. */
export interface SqliteWork {
  batches: Record<string, Batch>;
  jobs: Record<string, LoadJob>;
}

/**
 * Runs this thread as the owner of the process's only write connection. When the disk fails it posts that and closes the
 * port, so the connection is never used again. For a damaged file it throws Damaged.
 */
export function runWriter(port: MessagePort, data: WriterData, { batches, jobs }: SqliteWork): void {
  const { file, isDoubted, clock } = data;
  let raw: Sqlite.Database;
  try {
    raw = takeOver(file, isDoubted);
  } catch (error) {
    return postEnded(port, error);
  }
  new Writer(port, file, raw, clockOf(clock), batches, jobs).listen();
  port.postMessage({ ready: true } satisfies Response);
}

/** Ends the writer: posts a failure that a new one may survive, and throws any other. */
function postEnded(port: MessagePort, error: unknown): void {
  if (error instanceof Damaged || !isDatabaseAway(error)) throw error;
  port.postMessage({ ended: portable(error) } satisfies Response);
  port.close();
}

type BatchRequest = Extract<Request, { ask: "batch" | "probe" }>;
type JobRequest = Extract<Request, { ask: "job" }>;

interface RunningJob {
  id: number;
  pieces: Generator<unknown, unknown>;
}

/**
 * Works off three queues in rotation: a batch (of bets), a transaction, a step of a job (settlement, sealing). Now and
 * then it pauses, to leave the write lock to other processes.
 */
class Writer {
  readonly #port: MessagePort;
  readonly #context: BatchContext;
  readonly #batches: Record<string, Batch>;
  readonly #jobs: Record<string, LoadJob>;
  readonly #transaction: TimedTransaction;
  readonly #probe: (isDoubted: boolean) => void;
  readonly #waitingBatches: BatchRequest[] = [];
  readonly #waitingTransactions: BeginRequest[] = [];
  readonly #runningJobs: RunningJob[] = [];
  #isRunning = false;
  /** The error that ended the connection. */
  #end: unknown = null;

  constructor(
    port: MessagePort,
    file: string,
    raw: Sqlite.Database,
    clock: Clock,
    batches: Record<string, Batch>,
    jobs: Record<string, LoadJob>,
  ) {
    this.#port = port;
    this.#probe = (isDoubted) => {
      if (isDoubted) check(file);
      probe(raw);
    };
    this.#context = { raw, clock, failed: (error) => this.#report(error) };
    this.#batches = batches;
    this.#jobs = jobs;
    this.#transaction = new TimedTransaction(raw, {
      answer: (id, answer) => this.#post({ id, answer }),
      fail: this.#fail.bind(this),
    });
  }

  listen(): void {
    this.#port.on("message", (request: Request) => this.#receive(request));
  }

  #post(response: Response): void {
    this.#port.postMessage(response);
  }

  #fail(id: number, error: unknown): void {
    this.#post({ id, error: portable(error) });
    this.#endIfFatal(error);
  }

  #report(error: unknown): void {
    this.#post({ failed: portable(error) });
    this.#endIfFatal(error);
  }

  #endIfFatal(error: unknown): void {
    if (!endsConnection(error)) return;
    this.#end ??= error;
    this.#transaction.abandon();
  }

  #receive(request: Request): void {
    // Requests after the end are not done. The main thread knows.
    if (this.#end) return;
    if (request.ask === "close") return this.#close(request.id);
    if (request.ask === "batch" || request.ask === "probe") this.#waitingBatches.push(request);
    else if (request.ask === "begin") this.#waitingTransactions.push(request);
    else if (request.ask === "job") return void this.#begin(request);
    else this.#transaction.handle(request);
    this.#wake();
  }

  async #begin({ id, name, input }: JobRequest): Promise<void> {
    try {
      const job = await this.#jobs[name]!();
      this.#runningJobs.push({ id, pieces: job(this.#context, input as never) });
      this.#wake();
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #wake(): void {
    if (this.#isRunning || this.#end) return;
    this.#isRunning = true;
    void this.#workOffQueues();
  }

  async #workOffQueues(): Promise<void> {
    let yieldedAt = performance.now();
    while (
      !this.#end &&
      this.#waitingBatches.length + this.#waitingTransactions.length + this.#runningJobs.length > 0
    ) {
      const batch = this.#waitingBatches.shift();
      if (batch) this.#runBatch(batch);
      const transaction = this.#end ? undefined : this.#waitingTransactions.shift();
      if (transaction) await this.#transaction.run(transaction);
      const job = this.#end ? undefined : this.#runningJobs.shift();
      if (job && this.#step(job)) this.#runningJobs.push(job);
      if (performance.now() - yieldedAt > YIELD_EVERY_MS) {
        await new Promise((resolve) => setTimeout(resolve, YIELD_MS));
        yieldedAt = performance.now();
      } else await new Promise(setImmediate);
    }
    this.#isRunning = false;
    if (this.#end) this.#leave();
  }

  #runBatch(request: BatchRequest): void {
    const { id } = request;
    try {
      if (request.ask === "probe") this.#post({ id, answer: this.#probe(request.isDoubted) });
      else this.#post({ id, answer: this.#batches[request.name]!(this.#context, request.input as never) });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Whether there is more to do. */
  #step({ id, pieces }: RunningJob): boolean {
    try {
      const { done, value } = pieces.next();
      if (done) this.#post({ id, answer: value });
      else if (value !== undefined) this.#post({ id, piece: value });
      return !done;
    } catch (error) {
      this.#fail(id, error);
      return false;
    }
  }

  #leave(): void {
    closeQuietly(this.#context.raw);
    postEnded(this.#port, this.#end);
  }

  #close(id: number): void {
    this.#context.raw.close();
    this.#post({ id, answer: null });
    this.#port.close();
  }
}
