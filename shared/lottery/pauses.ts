import { ordinalOf, parseRound, placeOf, roundAt, type RoundPlace, type Timetable } from "./schedule.ts";

/**
 * Why rounds were never opened: the game was paused, no server ran, a clock was wrong, or the opening had to wait for
 * too long.
 */
export const GAP_REASONS = ["paused", "down", "clock", "late"] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A pause, or its end, acts from the round after next: the round that runs and the next one are played as promised. */
const NOTICE_ROUNDS = 2;

/** From which round on a game pauses or opens again, by the round's ordinal. */
export interface PauseChange {
  from: number;
  paused: boolean;
}

/** The first round on which a change that is announced at that moment may act, as an ordinal. */
export const actsFrom = (timetable: Timetable, announcedAt: number): number =>
  ordinalOf(timetable, roundAt(timetable, announcedAt)) + NOTICE_ROUNDS;

/** Whether a round is not opened because of a pause. Changes stand in the order in which they were announced. */
export const isPausedAt = (changes: readonly PauseChange[], ordinal: number): boolean =>
  changes.findLast(({ from }) => from <= ordinal)?.paused ?? false;

/** The pause that is announced or under way. `until` is the round that opens again, null while nobody has said. */
export interface CurrentPause {
  from: RoundPlace;
  until: RoundPlace | null;
}

/** What to tell at a round about pauses; null if the game runs and nothing is announced. */
export function currentPause(
  timetable: Timetable,
  changes: readonly PauseChange[],
  ordinal: number,
): CurrentPause | null {
  const last = changes.at(-1);
  if (!last) return null;
  if (last.paused) return { from: placeOf(timetable, last.from), until: null };
  const pause = changes.findLast(({ paused }) => paused);
  if (!pause || last.from <= ordinal || last.from <= pause.from) return null;
  return { from: placeOf(timetable, pause.from), until: placeOf(timetable, last.from) };
}

/** Splits a range of rounds, both ends included, where a pause begins or ends in it. */
export function splitByPause(
  changes: readonly PauseChange[],
  range: { from: number; to: number },
): { from: number; to: number; paused: boolean }[] {
  const begins = changes.map(({ from }) => from).filter((from) => from > range.from && from <= range.to);
  const starts = [...new Set([range.from, ...begins])].sort((a, b) => a - b);
  const parts = starts.map((from, i) => ({
    from,
    to: (starts[i + 1] ?? range.to + 1) - 1,
    paused: isPausedAt(changes, from),
  }));
  return parts.reduce<typeof parts>((joined, part) => {
    const last = joined.at(-1);
    if (last?.paused === part.paused) last.to = part.to;
    else joined.push({ ...part });
    return joined;
  }, []);
}

/** A pause, or its end, as everybody is told of it. */
export interface ToldChange {
  from: string;
  paused: boolean;
  /** In ms; null where it was never announced. */
  announced: number | null;
}

/** Whether a round may be missing because of a pause: one covers it, and it was announced two rounds ahead. */
export function isPauseTold(timetable: Timetable, told: readonly ToldChange[], round: string): boolean {
  const ordinalAt = (text: string) => ordinalOf(timetable, parseRound(text)!);
  const changes = told.map((change) => ({ ...change, from: ordinalAt(change.from) }));
  const inTime = changes.filter(({ from, announced }) => announced !== null && actsFrom(timetable, announced) <= from);
  return isPausedAt(changes, ordinalAt(round)) && isPausedAt(inTime, ordinalAt(round));
}
