/** The source of the time. It is passed in everywhere, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** How many of its milliseconds pass in one of the wall clock's; 1 by default. */
  speed?: number;
  /** Monotonic milliseconds since some moment, even if the clock is set meanwhile. Not every test clock has it. */
  elapsed?: () => number;
}

/** Describes a clock so that another thread can have the same. */
export type ClockSource =
  | { kind: "wall" }
  /** Set by tests: the first float64 of the buffer is the time in ms; a second one, if there is room, is `elapsed`. */
  | { kind: "shared"; buffer: SharedArrayBuffer }
  /** Runs `speed` times as fast as the wall clock since `startedAt`, when it showed `from`. */
  | { kind: "scaled"; from: number; startedAt: number; speed: number };

export function clockOf(source: ClockSource): Clock {
  if (source.kind === "wall") return { now: () => Date.now(), elapsed: () => performance.now() };
  if (source.kind === "shared") {
    const hand = new Float64Array(source.buffer);
    return { now: () => hand[0]!, ...(hand.length > 1 && { elapsed: () => hand[1]! }) };
  }
  const { from, startedAt, speed } = source;
  const now = () => Math.floor(from + (Date.now() - startedAt) * speed);
  return { now, elapsed: () => performance.now() * speed, speed };
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const toSeconds = (ms: number): number => Math.floor(ms / SECOND_MS);

/** ISO 8601 in UTC, as in `2026-03-02T00:00:00.000Z`. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** UTC days since the epoch. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** UTC weeks since the epoch, each from Monday (1970-01-01 was a Thursday). */
export const weekOf = (ms: number): number => Math.floor((dayOf(ms) + 3) / 7);

/** UTC months since January 1970. */
export function monthOf(ms: number): number {
  const date = new Date(ms);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

let lastDay = { day: Number.NaN, text: "" };

/** `YYYYMMDD` of a day counted from the epoch. The last one is cached: most calls are for the same day. */
export function dayText(day: number): string {
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "") };
  }
  return lastDay.text;
}

/** Reads `YYYYMMDD`; null when there is no such day. */
export function parseDay(text: string): number | null {
  if (!/^\d{8}$/.test(text)) return null;
  const ms = Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
  return Number.isNaN(ms) || dayText(dayOf(ms)) !== text ? null : dayOf(ms);
}

/** Whole years from a birthday (`YYYY-MM-DD`) to a moment, in UTC. Born on 29 February, one is a year older on 1 March. */
export function ageAt(birthday: string, ms: number): number {
  const today = new Date(ms).toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4));
  return today.slice(5) < birthday.slice(5) ? years - 1 : years;
}
