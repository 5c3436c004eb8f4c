import { DAY_MS, dayOf, dayText, parseDay, SECOND_MS } from "#shared/time.ts";

/** When a game's rounds begin and end. `periodS` divides a day, so every UTC day starts with round 1. */
export interface Timetable {
  periodS: number;
  /** How long before its end a round stops taking bets. */
  closeS: number;
}

/** The place of a round: its UTC day (from the epoch) and its number in that day, from 1. */
export interface RoundPlace {
  day: number;
  number: number;
}

interface RoundSpan {
  opensAt: number;
  closesAt: number;
  drawsAt: number;
}

const DAY_S = 86_400;
const SHORTEST_S = 10;

export const roundsPerDay = (timetable: Timetable): number => DAY_S / timetable.periodS;

export function isTimetable({ periodS, closeS }: Timetable): boolean {
  if (!Number.isInteger(periodS) || !Number.isInteger(closeS)) return false;
  return periodS >= SHORTEST_S && DAY_S % periodS === 0 && closeS >= 2 && closeS < periodS;
}

/** The round in whose span the moment falls. */
export function roundAt(timetable: Timetable, ms: number): RoundPlace {
  const day = dayOf(ms);
  return { day, number: Math.floor((ms - day * DAY_MS) / (timetable.periodS * SECOND_MS)) + 1 };
}

export function spanOf(timetable: Timetable, { day, number }: RoundPlace): RoundSpan {
  const opensAt = day * DAY_MS + (number - 1) * timetable.periodS * SECOND_MS;
  const drawsAt = opensAt + timetable.periodS * SECOND_MS;
  return { opensAt, closesAt: drawsAt - timetable.closeS * SECOND_MS, drawsAt };
}

/** A round's number counted across days, so that neighbours differ by one. */
export function ordinalOf(timetable: Timetable, { day, number }: RoundPlace): number {
  return day * roundsPerDay(timetable) + number - 1;
}

export function placeOf(timetable: Timetable, ordinal: number): RoundPlace {
  const perDay = roundsPerDay(timetable);
  return { day: Math.floor(ordinal / perDay), number: (ordinal % perDay) + 1 };
}

/** `YYYYMMDD-NNNN`. */
export function roundText({ day, number }: RoundPlace): string {
  return `${dayText(day)}-${String(number).padStart(4, "0")}`;
}

/** Parses `YYYYMMDD-NNNN`; null when it cannot be a round of any game. */
export function parseRound(text: string): RoundPlace | null {
  const day = parseDay(text.slice(0, 8));
  if (day === null || !/^\d{8}-\d{4}$/.test(text)) return null;
  const number = Number(text.slice(9));
  return number >= 1 && number <= DAY_S / SHORTEST_S ? { day, number } : null;
}
