import type { Logger } from "pino";
import { isDatabaseAway } from "#db/away.ts";

/**
 * Logs failures of work that is retried. A fault of ours is logged each time; an absent database once, until the work
 * succeeds again.
 */
export class RetryLog {
  readonly #log: Logger;
  readonly #text: string;
  readonly #about: object;
  #isLogged = false;

  constructor(log: Logger, text: string, about: object = {}) {
    this.#log = log;
    this.#text = text;
    this.#about = about;
  }

  failed(error: unknown): void {
    const fields = { err: error, ...this.#about };
    if (!isDatabaseAway(error)) return this.#log.error(fields, this.#text);
    if (!this.#isLogged) this.#log.warn(fields, this.#text);
    this.#isLogged = true;
  }

  /** The work succeeded. */
  recovered(): void {
    this.#isLogged = false;
  }
}
