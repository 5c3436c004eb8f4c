import { DatabaseAway } from "#db/away.ts";
import { Pool } from "./pool.ts";

/** An answer comes this soon, or none does. */
const TIMEOUT_MS = 1_250;
/** Commits, and leaves nothing behind. */
const PROBE =
  "begin; insert into meta (name, value) values ('probe', ''); delete from meta where name = 'probe'; commit";

/**
 * Whether a PostgreSQL answers, asked on a connection of its own. From when it does not until it does again nobody waits
 * for it on the pools: a server that hangs, or a line on which nothing comes any more, is as clear a no as one that is
 * not there.
 */
export class Heartbeat {
  readonly #pool: Pool;
  readonly #pools: Pool[];
  readonly #onLost: (cause: unknown) => void;
  #checking: Promise<void> | null = null;
  #isAway = false;
  #isStopped = false;

  /** `onLost` is called each time when there is no answer. */
  constructor(url: string, pools: Pool[], onLost: (cause: unknown) => void) {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, idleTimeoutMillis: 0 };
    this.#pool = new Pool(url, 1, limits);
    this.#pools = pools;
    this.#onLost = onLost;
  }

  /** Throws when there is no answer. Whoever asks meanwhile hears the same. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** The same, for whoever does not wait. */
  checkSoon(): void {
    void this.check().catch(() => {});
  }

  /** Commits a tiny write. Throws when that does not work. */
  async probe(): Promise<void> {
    await this.check();
    await this.#pool.query(PROBE);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pool.end();
  }

  async #ask(): Promise<void> {
    try {
      await this.#selectOne();
    } catch (error) {
      if (!this.#isStopped) this.#lose(error);
      throw new DatabaseAway("unreachable", { cause: error });
    }
    if (!this.#isAway) return;
    this.#isAway = false;
    for (const pool of this.#pools) pool.open();
  }

  async #selectOne(): Promise<void> {
    try {
      await this.#pool.query("select 1");
    } catch (error) {
      if (this.#isAway) throw error;
      // Its connection alone may have died, or this process may have stood still while the answer lay there.
      await this.#pool.query("select 1");
    }
  }

  #lose(error: unknown): void {
    if (!this.#isAway) for (const pool of this.#pools) pool.shut();
    this.#isAway = true;
    this.#onLost(error);
  }
}
