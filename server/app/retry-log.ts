import type { Logger } from "pino";
import { isDatabaseAway } from "#db/away.ts";

/**
 * Says in the log that something failed that is tried again: each time where it is our fault, and while the database is
 * away once until it went well again.
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

  /** It went well. */
  recovered(): void {
    this.#isLogged = false;
  }
}
