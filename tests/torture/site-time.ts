import type { Clock } from "#shared/time.ts";
import { nowMs } from "../support/client.ts";

/** From a moment of the steady time on, a clock showed so much more than that. */
interface Setting {
  from: number;
  /** When it was set again. */
  to: number;
  by: number;
  /** Whether that was more than the right time. */
  isAhead: boolean;
}

/**
 * What the clocks of a site's servers have shown, against the steady time of one that is never set. All in the site's ms.
 */
export class SiteTime {
  readonly #steady: () => number;
  readonly #settings: Setting[][];
  readonly #speed: number;
  #movedOn = 0;

  constructor({ now, speed = 1 }: Clock, clocks = 1) {
    this.#steady = now;
    this.#speed = speed;
    const unset = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, by: 0, isAhead: false };
    this.#settings = Array.from({ length: clocks }, () => [{ ...unset }]);
  }

  /** The right time: of a member's own clock. */
  get right(): number {
    return this.#steady() + this.#movedOn;
  }

  /** What a clock shows. */
  shownBy(clock: number): number {
    return this.#steady() + this.#settings[clock]!.at(-1)!.by;
  }

  /** So much of the right time passes at once. */
  moveOn(ms: number): void {
    this.#movedOn += ms;
  }

  /** Has `set` set a clock, by so much against the right time. It is told by how much that is against the steady time. */
  set(clock: number, ms: number, set: (by: number) => void): void {
    const by = this.#movedOn + ms;
    const settings = this.#settings[clock]!;
    // Between the two readings it shows either.
    const from = this.#steady();
    set(by);
    settings.at(-1)!.to = this.#steady();
    settings.push({ from, to: Number.POSITIVE_INFINITY, by, isAhead: ms > 0 });
  }

  /** Whether so much may have passed from a moment between two of this machine's until another, by any of the clocks. */
  mayHavePassed(ms: number, { fromMs, toMs }: { fromMs: number; toMs: number }, untilMs = nowMs()): boolean {
    const [from, to, until] = [fromMs, toMs, untilMs].map((at) => this.#steadyAt(at)) as [number, number, number];
    const settings = this.#settings.flat();
    const first = settings.filter((one) => one.from <= to && from <= one.to);
    const least = Math.min(...first.map((one) => Math.max(from, one.from) + one.by));
    const later = settings.filter((one) => one.from <= until && from <= one.to);
    const most = Math.max(...later.map((one) => Math.min(until, one.to) + one.by));
    return most - least >= ms;
  }

  #steadyAt(ms: number): number {
    return this.#steady() - (nowMs() - ms) * this.#speed;
  }

  /** Whether any of the clocks had shown that time until a moment of the steady time. */
  hadShown(time: number, until: number): boolean {
    return this.#settings.flat().some(({ from, to, by }) => from <= time - by && time - by <= Math.min(to, until));
  }

  /** Whether a clock that was ahead had shown a time of that span. */
  wasAheadIn({ from, to }: { from: number; to: number }): boolean {
    return this.#settings.flat().some((one) => one.isAhead && one.from + one.by <= to && from <= one.to + one.by);
  }
}
