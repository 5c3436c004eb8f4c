import { RetryLog } from "#server/app/retry-log.ts";
import type { Deps } from "#server/app/deps.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface Failing {
  retryLog: RetryLog;
  failures: number;
  /** When it is tried again, in elapsed time. */
  dueAt: number;
}

/**
 * Does things that may fail, each under a name of its own. One that fails is logged and tried again with exponential
 * backoff, from one second to a minute, for ever; meanwhile all others are done.
 */
export class Retries {
  readonly #log: Deps["log"];
  readonly #elapsed: () => number;
  readonly #failing = new Map<string, Failing>();

  constructor({ log, clock }: Pick<Deps, "log" | "clock">) {
    this.#log = log;
    this.#elapsed = clock.elapsed ?? clock.now;
  }

  /** How many things failed and wait to be tried again. */
  get failing(): number {
    return this.#failing.size;
  }

  /** Whether it may be tried now: it did not fail, or its pause is over. */
  isDue(name: string): boolean {
    return (this.#failing.get(name)?.dueAt ?? Number.NEGATIVE_INFINITY) <= this.#elapsed();
  }

  /** Tries it if it is due. Never throws. */
  async run(name: string, work: () => Promise<unknown>): Promise<void> {
    if (!this.isDue(name)) return;
    try {
      await work();
      this.#failing.delete(name);
    } catch (error) {
      this.#failed(name, error);
    }
  }

  #failed(name: string, error: unknown): void {
    const { retryLog, failures } = this.#failing.get(name) ?? {
      retryLog: new RetryLog(this.#log, "a step failed and is tried again", { step: name }),
      failures: 0,
    };
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    this.#failing.set(name, { retryLog, failures: failures + 1, dueAt: this.#elapsed() + pauseMs });
    retryLog.failed(error);
  }
}
