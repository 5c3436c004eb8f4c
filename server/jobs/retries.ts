import { RetryLog } from "#server/app/retry-log.ts";
import type { Deps } from "#server/app/deps.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface Failing {
  retryLog: RetryLog;
  failures: number;
  /** When it is retried, in elapsed time. */
  dueAt: number;
}

/**
 * Runs named work that may fail. Failing work is logged and retried with exponential backoff, from one second to a
 * minute, for ever; the rest goes on (a circuit breaker by name).
 */
export class Retries {
  readonly #log: Deps["log"];
  readonly #elapsed: () => number;
  readonly #failing = new Map<string, Failing>();

  constructor({ log, clock }: Pick<Deps, "log" | "clock">) {
    this.#log = log;
    this.#elapsed = clock.elapsed ?? clock.now;
  }

  /** How much work failed and waits for a retry. */
  get failing(): number {
    return this.#failing.size;
  }

  /** Whether it may run now: it did not fail, or its backoff is over. */
  isDue(name: string): boolean {
    return (this.#failing.get(name)?.dueAt ?? Number.NEGATIVE_INFINITY) <= this.#elapsed();
  }

  /** Runs the work if it is due. Never throws. */
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
      retryLog: new RetryLog(this.#log, "a step failed and will be retried", { step: name }),
      failures: 0,
    };
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    this.#failing.set(name, { retryLog, failures: failures + 1, dueAt: this.#elapsed() + pauseMs });
    retryLog.failed(error);
  }
}
