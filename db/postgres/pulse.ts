import { DatabaseAway } from "#db/away.ts";
import { Pool } from "./pool.ts";

/** An answer comes this soon, or none does. */
const ANSWER_MS = 1_250;
/** How soon a database that went is looked for again. */
const AGAIN_MS = 500;

/**
 * Whether a PostgreSQL answers, asked on a connection of its own. From when it does not until it does again nobody waits
 * for it on the pools: a server that hangs, or a line on which nothing comes any more, is as clear a no as one that is
 * not there.
 */
export class Pulse {
  readonly #own: Pool;
  readonly #pools: Pool[];
  #looking: Promise<void> | null = null;
  #isAway = false;
  #again: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(url: string, pools: Pool[]) {
    const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
    this.#own = new Pool(url, 1, limits);
    this.#pools = pools;
  }

  /** Throws when there is no answer. Whoever asks meanwhile hears the same. */
  look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#again);
    await this.#own.end();
  }

  async #ask(): Promise<void> {
    try {
      await this.#once();
    } catch (error) {
      this.#lose();
      throw new DatabaseAway({ cause: error });
    }
    if (!this.#isAway) return;
    this.#isAway = false;
    for (const pool of this.#pools) pool.open();
  }

  async #once(): Promise<void> {
    try {
      await this.#own.query("select 1");
    } catch (error) {
      if (this.#isAway) throw error;
      // Its connection alone may have died, or this process may have stood still while the answer lay there.
      await this.#own.query("select 1");
    }
  }

  #lose(): void {
    if (this.#isOver) return;
    if (!this.#isAway) for (const pool of this.#pools) pool.shut();
    this.#isAway = true;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.look().catch(() => {}), AGAIN_MS).unref();
  }
}
