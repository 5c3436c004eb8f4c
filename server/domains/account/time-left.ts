/**
 * How long a delay that lasts `longestMs` at most still holds, in ms; 0 once it is over. One that ends more than twice as late
 * was written while a server's clock was ahead, and does not hold: nobody waits a year for a wrong clock.
 */
export function timeLeft(until: number, now: number, longestMs: number): number {
  return until - now > 2 * longestMs ? 0 : Math.max(0, until - now);
}
