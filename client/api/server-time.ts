import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

/** Clocks drift apart, though less than this part of the time that passes. */
const DRIFT = 1 / 5_000;

/**
 * The server's clock, as far as it can be known here: what it said, plus what
 * has passed since on a clock that nobody sets. The device's own clock is never asked.
 */
export class ServerTime {
  readonly #elapsed: () => number;
  #ahead: number | null = null;
  #measuredAt = 0;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** The fastest message gives the best estimate; its weight decays with clock drift. */
  update(serverNowMs: number): void {
    const now = this.#elapsed();
    const ahead = serverNowMs - now;
    const known = this.#ahead === null ? ahead : this.#ahead - (now - this.#measuredAt) * DRIFT;
    this.#ahead = Math.max(known, ahead);
    this.#measuredAt = now;
  }

  /** Resets the estimate: a new connection may reach a server with another clock. */
  forget(): void {
    this.#ahead = null;
  }

  /** Milliseconds since the epoch by the server's clock; null while it has said nothing. */
  now(): number | null {
    return this.#ahead === null ? null : this.#ahead + this.#elapsed();
  }
}

export const serverTime = new ServerTime();

/** When the next UTC day begins, by the server's clock, in ms since the epoch. Null until that clock is known. */
export function nextDayMs(): number | null {
  const now = serverTime.now();
  return now === null ? null : (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/**
 * For queries that count by UTC days and change at these moments, in ms since the epoch: they are asked again a second after
 * midnight and after each of them. As long as an answer names what is past, it is asked again once a minute.
 */
export function untilChange(momentsMs: readonly number[]): number | false {
  const now = serverTime.now();
  if (now === null) return false;
  // Whoever renders within the second after midnight has not asked yet.
  const midnight = (Math.floor((now - SECOND_MS) / DAY_MS) + 1) * DAY_MS;
  const waits = [midnight, ...momentsMs].map((moment) => moment + SECOND_MS - now);
  return Math.min(...waits.map((wait) => (wait > 0 ? wait : MINUTE_MS)));
}

/** For queries that count by UTC days: they are asked again just after midnight. */
export const untilNextDay = (): number | false => untilChange([]);
