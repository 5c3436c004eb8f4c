import type pg from "pg";

const MEASURE_EVERY_MS = 10_000;
const NOW = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now";

/**
 * Measures how far the database's clock is ahead of this process's monotonic time. All processes use the database's: a
 * machine whose own clock is set closes and draws no round by it.
 */
export class DatabaseTime {
  readonly #pool: pg.Pool;
  readonly #elapsed: () => number;
  #aheadMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, elapsed: () => number) {
    this.#pool = pool;
    this.#elapsed = elapsed;
  }

  /** In whole ms since the epoch. */
  now(): number {
    return Math.floor(this.#elapsed() + this.#aheadMs);
  }

  async start(): Promise<void> {
    await this.#measure();
    // A failed measurement is left out: the last difference holds until the next one.
    this.#timer = setInterval(() => void this.#measure().catch(() => {}), MEASURE_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes the fastest of three round trips, and assumes that both ways took half of it. */
  async #measure(): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    let aheadMs = this.#aheadMs;
    for (let i = 0; i < 3; i++) {
      const asked = this.#elapsed();
      const { rows } = await this.#pool.query<{ now: number }>(NOW);
      const tookMs = this.#elapsed() - asked;
      if (tookMs >= quickest) continue;
      quickest = tookMs;
      aheadMs = rows[0]!.now - (asked + tookMs / 2);
    }
    this.#aheadMs = aheadMs;
  }
}
