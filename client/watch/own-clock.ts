import { SECOND_MS } from "#shared/time.ts";

/** A moment by this device: what its clock says, and how much time has passed, which nobody sets. Both in ms. */
export interface Moment {
  clock: number;
  passed: number;
}

export const momentNow = (): Moment => ({ clock: Date.now(), passed: performance.now() });

/** How far a clock may be from a beacon that confirms it, and may move from there. */
const MOST_OFF_MS = SECOND_MS;

/**
 * Whether this device's own clock is right. No server may say so: a beacon that arrives within a second of its time does,
 * since nobody has a beacon earlier. The word holds for moments between which the clock was not set.
 */
export class OwnClock {
  /** What the clock said as the page began, reckoned from the moment that confirmed it. */
  #began: number | null = null;

  /** A genuine beacon of that time came. One that comes late says nothing: it may have been held back. */
  compare(signedAt: number, { clock, passed }: Moment): void {
    if (Math.abs(clock - signedAt) <= MOST_OFF_MS) this.#began = clock - passed;
    else if (clock < signedAt) this.#began = null;
  }

  /** Whether a moment was certainly before another one of true time. */
  wasBefore({ clock, passed }: Moment, ms: number): boolean {
    if (this.#began === null || Math.abs(clock - passed - this.#began) > MOST_OFF_MS) return false;
    return clock + MOST_OFF_MS <= ms;
  }
}
