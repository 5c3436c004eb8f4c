import { MINUTE_MS } from "#shared/time.ts";

/** A head comes at least each minute; without one for this long, the log was silent. */
const SILENT_MS = 10 * MINUTE_MS;

/** A stretch without heads. */
export interface Silence {
  from: number;
  to: number;
}

/** The heads of the log as their `time` leaves tell them. What needs the time of a leaf waits for the head that holds it. */
export class HeadTimes {
  #waiting: ((time: number) => void)[] = [];
  /** How many heads there were. */
  count = 0;
  first: number | null = null;
  last: number | null = null;
  /** How long the log has spoken, in ms: a silence counts as its first ten minutes. A clock that was set is one. */
  spokenMs = 0;
  /** The newest silence; before the first head there was one since ever. */
  silence: Silence | null = null;

  /** Calls back with the time of the head that will hold the newest leaf. */
  onHead(tell: (time: number) => void): void {
    this.#waiting.push(tell);
  }

  /** Returns the silence that ends with this head, if there was one. */
  add(time: number): Silence | null {
    const before = this.last;
    this.first ??= time;
    this.last = Math.max(time, before ?? time);
    this.spokenMs += Math.max(0, Math.min(time - (before ?? time), SILENT_MS));
    this.count++;
    const silence = before !== null && time - before > SILENT_MS ? { from: before, to: time } : null;
    if (silence) this.silence = silence;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell(time);
    return silence;
  }
}
