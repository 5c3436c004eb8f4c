import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";

/** A head comes at least each minute; without one for this long, the log was silent. */
const SILENT_MS = 10 * MINUTE_MS;
/** While a server works, two heads have at most this between them. */
const STEADY_MS = 90 * SECOND_MS;
/** A leaf waits for its transaction to end, and the clocks of a site's machines differ a bit. */
const WRITTEN_MS = 30 * SECOND_MS;
/** Under a clock that was set back, each head is a millisecond younger than the one before until time has caught up. */
const STANDING_MS = SECOND_MS;

/** A stretch without heads. */
export interface Silence {
  from: number;
  to: number;
}

/**
 * What the heads say to the date of a leaf. `in time`: no head could have held it before. `clock`: heads after the date did
 * not hold it, and a clock that was ahead explains that. `back`: nothing does.
 */
export type Dated = "in time" | "clock" | "back";

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
  readonly #silences: Silence[] = [];
  /** What the time truly was at least, as far as anything tells. */
  #least = -Infinity;

  /** Calls back with the time of the head that will hold the newest leaf. */
  onHead(tell: (time: number) => void): void {
    this.#waiting.push(tell);
  }

  /** A draw shows a beacon that was signed then. From there on, steady heads tell how time went on. */
  shown(signedAt: number): void {
    this.#least = Math.max(this.#least, signedAt);
  }

  /** Calls back with what the heads say to the newest leaf's date. Younger than `withinMs` is in time. */
  onDated(at: number, withinMs: number, tell: (dated: Dated, time: number) => void): void {
    const [before, least] = [this.last, this.#least];
    this.onHead((time) => tell(this.#dated(at, withinMs, { before, least, time }), time));
  }

  #dated(
    at: number,
    withinMs: number,
    { before, least, time }: { before: number | null; least: number; time: number },
  ): Dated {
    if (before === null || time - at <= withinMs || before - at <= WRITTEN_MS) return "in time";
    if (at < least - withinMs) return "back";
    const silences = this.#silences.filter(({ to }) => to > at);
    const silentMs = silences.reduce((sum, { from, to }) => sum + to - from, 0);
    const hasJumped = silences.length > 0 && before - at <= silentMs + withinMs;
    return hasJumped || time - before < STANDING_MS ? "clock" : "back";
  }

  /** Returns the silence that ends with this head, if there was one. */
  add(time: number): Silence | null {
    const before = this.last;
    this.first ??= time;
    this.last = Math.max(time, before ?? time);
    const passed = Math.max(0, time - (before ?? time));
    this.spokenMs += Math.min(passed, SILENT_MS);
    if (passed <= STEADY_MS) this.#least += passed;
    this.count++;
    const silence = before !== null && passed > SILENT_MS ? { from: before, to: time } : null;
    if (silence) this.#silences.push((this.silence = silence));
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell(time);
    return silence;
  }
}
