import { DatabaseAway } from "#db/away.ts";
import { Pool } from "./pool.ts";

/** A server that takes longer counts as lost. */
const TIMEOUT_MS = 1_250;
/** Commits a write that leaves no row behind. */
const PROBE =
  "begin; insert into meta (name, value) values ('probe', ''); delete from meta where name = 'probe'; commit";

/**
 * Checks on a connection of its own whether a PostgreSQL answers. From a failed check to the next good one the pools
 * are shut, so nobody waits for them. A server that hangs, or a dead connection, counts as a server that is gone.
 */
export class Heartbeat {
  readonly #pool: Pool;
  readonly #pools: Pool[];
  readonly #onLost: (cause: unknown) => void;
  #checking: Promise<void> | null = null;
  #isAway = false;
  #isStopped = false;

  /** `onLost` is called after every failed check. */
  constructor(url: string, pools: Pool[], onLost: (cause: unknown) => void) {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, idleTimeoutMillis: 0 };
    this.#pool = new Pool(url, 1, limits);
    this.#pools = pools;
    this.#onLost = onLost;
  }

  /** Throws when there is no answer. Concurrent callers share one check. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Checks in the background. */
  checkSoon(): void {
    void this.check().catch(() => {});
  }

  /** Commits a tiny write. Throws when that fails. */
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
      // The connection alone may have died, or this process may have been suspended while the answer waited.
      await this.#pool.query("select 1");
    }
  }

  #lose(error: unknown): void {
    if (!this.#isAway) for (const pool of this.#pools) pool.shut();
    this.#isAway = true;
    this.#onLost(error);
  }
}
