import { DatabaseAway } from "#db/away.ts";
import type { AwayReason } from "#shared/contract/events.ts";
import type { Lineage } from "./lineage.ts";
import { Pool } from "./pool.ts";

/** A server that takes longer counts as lost. */
const TIMEOUT_MS = 1_250;
/** Commits a write that leaves no row behind. */
const PROBE =
  "begin; insert into meta (name, value) values ('probe', ''); delete from meta where name = 'probe'; commit";

/**
 * Checks on a connection of its own whether a PostgreSQL answers, and whether it is still the same one. From a failed check to the next good one the pools
 * are shut, so nobody waits for them. A server that hangs, or a dead connection, counts as a server that is gone.
 */
export class Heartbeat {
  readonly #pool: Pool;
  readonly #pools: Pool[];
  readonly #lineage: Lineage;
  readonly #onLost: (reason: AwayReason, cause: unknown) => void;
  #checking: Promise<void> | null = null;
  #isAway = false;
  #isStale = false;
  #isStopped = false;

  /** `onLost` is called after every failed check. */
  constructor(
    url: string,
    { pools, lineage }: { pools: Pool[]; lineage: Lineage },
    onLost: (reason: AwayReason, cause: unknown) => void,
  ) {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, idleTimeoutMillis: 0 };
    this.#pool = new Pool(url, 1, limits);
    this.#pools = pools;
    this.#lineage = lineage;
    this.#onLost = onLost;
  }

  /** Throws when there is no answer. Concurrent callers share one check. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** A new connection led elsewhere: the next check does not ask on the old one. */
  readonly distrust = (): void => {
    this.#isStale = true;
    this.checkSoon();
  };

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
      await this.#look();
    } catch (error) {
      const reason = error instanceof DatabaseAway ? error.reason : "unreachable";
      if (!this.#isStopped) this.#lose(reason, error);
      throw new DatabaseAway(reason, { cause: error });
    }
    if (!this.#isAway) return;
    this.#isAway = false;
    for (const pool of this.#pools) pool.open();
  }

  async #look(): Promise<void> {
    try {
      await this.#lookOnce();
    } catch (error) {
      if (this.#isAway) throw error;
      // The connection alone may have died, or this process may have been suspended while the answer waited.
      await this.#lookOnce();
    }
  }

  /** A connection that fails the check is closed: by now, a new one may lead to another server. */
  async #lookOnce(): Promise<void> {
    if (this.#isStale) await this.#renew();
    const client = await this.#pool.connect();
    let isGood = false;
    try {
      await this.#lineage.check(client);
      isGood = true;
    } finally {
      client.release(!isGood);
    }
  }

  async #renew(): Promise<void> {
    this.#isStale = false;
    (await this.#pool.connect()).release(true);
  }

  #lose(reason: AwayReason, error: unknown): void {
    if (!this.#isAway) for (const pool of this.#pools) pool.shut();
    this.#isAway = true;
    this.#onLost(reason, error);
  }
}
