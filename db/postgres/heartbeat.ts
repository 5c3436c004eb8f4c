import { DatabaseAway } from "#db/away.ts";
import { Pool } from "./pool.ts";

/** An answer comes this soon, or none does. */
const ANSWER_MS = 1_250;
/** Commits, and leaves nothing behind. */
const PROBE =
  "begin; insert into meta (name, value) values ('probe', ''); delete from meta where name = 'probe'; commit";

/**
 * Whether a PostgreSQL answers, asked on a connection of its own. From when it does not until it does again nobody waits
 * for it on the pools: a server that hangs, or a line on which nothing comes any more, is as clear a no as one that is
 * not there.
 */
export class Heartbeat {
  readonly #own: Pool;
  readonly #pools: Pool[];
  readonly #onLost: (cause: unknown) => void;
  #looking: Promise<void> | null = null;
  #isAway = false;
  #isOver = false;

  /** `onLost` is called each time when there is no answer. */
  constructor(url: string, pools: Pool[], onLost: (cause: unknown) => void) {
    const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, idleTimeoutMillis: 0 };
    this.#own = new Pool(url, 1, limits);
    this.#pools = pools;
    this.#onLost = onLost;
  }

  /** Throws when there is no answer. Whoever asks meanwhile hears the same. */
  look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** The same, for whoever does not wait. */
  lookSoon(): void {
    void this.look().catch(() => {});
  }

  /** Commits a tiny write. Throws when that does not work. */
  async probe(): Promise<void> {
    await this.look();
    await this.#own.query(PROBE);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#own.end();
  }

  async #ask(): Promise<void> {
    try {
      await this.#once();
    } catch (error) {
      if (!this.#isOver) this.#lose(error);
      throw new DatabaseAway("unreachable", { cause: error });
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

  #lose(error: unknown): void {
    if (!this.#isAway) for (const pool of this.#pools) pool.shut();
    this.#isAway = true;
    this.#onLost(error);
  }
}
