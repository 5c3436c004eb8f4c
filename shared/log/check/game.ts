import type { PauseChange } from "#shared/lottery/pauses.ts";
import { ordinalOf, parseRound, placeOf, roundText, type Timetable } from "#shared/lottery/schedule.ts";
import type { Hash } from "#shared/merkle.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { DayMarks } from "./round-marks.ts";

/** Rounds by their ordinals, both ends included. */
export interface Range {
  from: number;
  to: number;
}

/** A game as the log has told it so far. */
export class Game {
  readonly key: string;
  readonly odds = new Map<string, Leaf<"odds">>();
  /** By `YYYYMMDD`. */
  readonly days = new Map<string, DayMarks>();
  readonly gaps: Range[] = [];
  /** The ordinals of all rounds that were opened, in the order of their openings. */
  readonly opened: number[] = [];
  /** Pauses and their ends, in the order in which they were announced; those that were announced in time. */
  readonly changes: PauseChange[] = [];
  readonly inTime: PauseChange[] = [];
  /** Beacon modes, each with the round from which it acts. */
  readonly modes: { from: number; mode: string }[] = [];
  /** That of the newest odds. */
  timetable: Timetable | null = null;
  /** The time of the head with the game's first anchor. */
  begunAt: number | null = null;
  readonly #hash: Hash;

  constructor(key: string, hash: Hash) {
    this.key = key;
    this.#hash = hash;
  }

  day(day: string): DayMarks {
    let marks = this.days.get(day);
    if (!marks) this.days.set(day, (marks = new DayMarks(this.#hash)));
    return marks;
  }

  /** A round's day and its number in it. */
  at(round: string): { marks: DayMarks; number: number } {
    return { marks: this.day(round.slice(0, 8)), number: Number(round.slice(9)) };
  }

  /** A round's number across days; null before the game has a timetable. */
  ordinal(round: string): number | null {
    return this.timetable && ordinalOf(this.timetable, parseRound(round)!);
  }

  name(ordinal: number): string {
    return roundText(placeOf(this.timetable!, ordinal));
  }

  /** The mode under which a round with this ordinal opens. */
  modeAt(ordinal: number): string {
    return this.modes.findLast(({ from }) => from <= ordinal)?.mode ?? "none";
  }

  isInGap(ordinal: number): boolean {
    return this.gaps.some(({ from, to }) => from <= ordinal && ordinal <= to);
  }

  /** The first part of a range that no gap covers. */
  uncovered({ from, to }: Range): Range | null {
    let left = from;
    for (let isMoved = true; isMoved;) {
      isMoved = false;
      for (const gap of this.gaps) {
        if (gap.from > left || gap.to < left) continue;
        left = gap.to + 1;
        isMoved = true;
      }
      if (left > to) return null;
    }
    const next = Math.min(to + 1, ...this.gaps.filter((gap) => gap.from > left).map((gap) => gap.from));
    return { from: left, to: next - 1 };
  }
}
