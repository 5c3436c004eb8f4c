import type { Logger } from "pino";
import { RetryLog } from "./retry-log.ts";

/**
 * Work that nobody waits for, such as a push: a failure is logged, and the server waits for it before its database
 * closes.
 */
export class Background {
  readonly #log: Logger;
  readonly #open = new Set<Promise<void>>();
  /** By what is logged: an absent database fails many pushes, and is logged once. */
  readonly #retryLogs = new Map<string, RetryLog>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Resolves when the work has ended; it never rejects. `failure` is the sentence that is logged. */
  run(work: Promise<unknown>, failure: string): Promise<void> {
    const logOf = this.#retryLogs.get(failure) ?? new RetryLog(this.#log, failure);
    this.#retryLogs.set(failure, logOf);
    const ended = work
      .then(
        () => logOf.recovered(),
        (error: unknown) => logOf.failed(error),
      )
      .finally(() => this.#open.delete(ended));
    this.#open.add(ended);
    return ended;
  }

  /** Resolves when no work is under way any more. */
  async finished(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}
