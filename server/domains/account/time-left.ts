import { HOUR_MS } from "#shared/time.ts";

/**
 * How long a delay that lasts `longestMs` at most still holds, in ms; 0 once it is over. One that ends more than twice as late
 * was written while a server's clock was ahead, and does not hold: nobody waits a year for a wrong clock.
 */
export function timeLeft(until: number, now: number, longestMs: number): number {
  return until - now > 2 * longestMs ? 0 : Math.max(0, until - now);
}

/** The longest cooling time that an operator can set. */
export const MOST_COOLING_HOURS = 720;
const LONGEST_COOLING_MS = MOST_COOLING_HOURS * HOUR_MS;

/** The latest end of a cooling time that holds. */
export const latestCooling = (now: number): number => now + 2 * LONGEST_COOLING_MS;

/** When a cooling time ends that holds now; 0 where none does. */
export const coolingEnd = (until: number, now: number): number =>
  timeLeft(until, now, LONGEST_COOLING_MS) > 0 ? until : 0;
