import { GAME_KINDS } from "#shared/lottery/games.ts";
import { actsFrom, splitByPause } from "#shared/lottery/pauses.ts";
import { rateCount } from "#shared/lottery/rules.ts";
import { isTimetable, roundsPerDay, type Timetable } from "#shared/lottery/schedule.ts";
import { DAY_MS, dayText, HOUR_MS, parseDay, toIso } from "#shared/time.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { Context } from "./context.ts";
import { mostLate } from "./dates.ts";
import type { Game } from "./game.ts";
import { MARK } from "./round-marks.ts";

/** An anchor is in a head at least so long before its day's first round. */
export const ANCHOR_AHEAD_MS = 7 * DAY_MS;
/** How long a new game, a new log, or one that was silent, may take to log its first anchors. */
const FIRST_ANCHORS_MS = HOUR_MS;
/** What a gap would have drawn is shown a day after it was recorded, one day of the gap at each opening. */
const GAP_SHOWN_MS = DAY_MS;
const OPENINGS_TO_SPARE = 2;
/** Of a gap that is said to last for centuries, the first ten years are asked for. */
const MOST_DAYS = 3_660;

/** A day of a gap whose seeds are to be shown. */
interface Hidden {
  round: string;
  dueAt: number;
  openings: number;
}

/** Checks what a game announces before and between its rounds: anchors, odds, beacon modes, pauses, gaps. */
export class PlanCheck {
  readonly #game: Game;
  readonly #context: Context;
  /** When each day's anchor was in a head, and why it may be younger than others. */
  readonly #anchors = new Map<string, { at: number; excuse: "new" | "silence" | null }>();
  #hidden: Hidden[] = [];
  /** What was announced before the game's timetable was known. */
  readonly #untimed: ((timetable: Timetable) => void)[] = [];
  /** The pause, or its end, that was announced last. */
  #announced: { kind: "pause" | "resume"; from: number } | null = null;

  constructor(game: Game, context: Context) {
    this.#game = game;
    this.#context = context;
  }

  anchor({ day, anchor }: Leaf<"anchor">): void {
    const game = this.#game;
    const { heads } = this.#context;
    if (this.#context.isShownAgain(anchor)) this.#context.problem("anchor-again", { game: game.key, day });
    game.day(day).setAnchor(anchor);
    heads.onHead((at) => {
      game.begunAt ??= at;
      const due = parseDay(day)! * DAY_MS - ANCHOR_AHEAD_MS;
      const { silence } = heads;
      const isAfterSilence = silence && silence.from <= due && at <= silence.to + FIRST_ANCHORS_MS;
      const excuse = at <= game.begunAt + FIRST_ANCHORS_MS ? "new" : isAfterSilence ? "silence" : null;
      this.#anchors.set(day, { at, excuse });
    });
  }

  /** A day's first round opens at that time. */
  firstOpening(day: string, opens: number): void {
    const known = this.#anchors.get(day);
    const facts = { game: this.#game.key, day };
    // An anchor that is in no head yet is in one together with the opening.
    if (known && opens - known.at >= ANCHOR_AHEAD_MS) return;
    if (!known) this.#context.heads.onHead(() => this.#tellYoung(day));
    else if (known.excuse === "new") this.#context.note("anchor-new", facts);
    else if (known.excuse === "silence") this.#context.note("anchor-after-silence", facts);
    else this.#context.problem("anchor-late", facts);
  }

  #tellYoung(day: string): void {
    const facts = { game: this.#game.key, day };
    const excuse = this.#anchors.get(day)?.excuse;
    if (excuse) this.#context.note(excuse === "new" ? "anchor-new" : "anchor-after-silence", facts);
    else this.#context.problem("anchor-late", facts);
  }

  odds(leaf: Leaf<"odds">): void {
    const rules = GAME_KINDS.get(leaf.rules);
    const timetable = { periodS: leaf.period, closeS: leaf.close };
    const facts = { game: leaf.game, odds: leaf.id };
    const fits = rules && rateCount(rules) === leaf.rates.length && isTimetable(timetable);
    this.#game.odds.set(leaf.id, leaf);
    if (!fits) return this.#context.problem("odds-unfit", facts);
    // All rounds so far are counted by their period.
    const isOther = (this.#game.timetable?.periodS ?? leaf.period) !== leaf.period;
    if (isOther) return this.#context.problem("period-other", facts);
    this.#game.timetable = timetable;
    for (const take of this.#untimed.splice(0)) take(timetable);
  }

  beacon(leaf: Leaf<"beacon">): void {
    this.#checkDate(leaf);
    this.#whenTimed((timetable) => this.#follow(leaf, timetable));
  }

  #follow({ mode, from, at }: Leaf<"beacon">, timetable: Timetable): void {
    const { key } = this.#game;
    const ordinal = this.#game.ordinal(from)!;
    if (this.#game.opened.length > 0 && ordinal < actsFrom(timetable, at))
      this.#context.problem("rule-soon", { game: key, round: from });
    this.#game.modes.push({ from: ordinal, mode });
  }

  pause(leaf: Leaf<"pause"> | Leaf<"resume">): void {
    this.#checkDate(leaf);
    this.#whenTimed((timetable) => this.#pause(leaf, timetable));
  }

  #pause({ kind, from, at }: Leaf<"pause"> | Leaf<"resume">, timetable: Timetable): void {
    const { key, changes, inTime } = this.#game;
    const change = { from: this.#game.ordinal(from)!, paused: kind === "pause" };
    changes.push(change);
    this.#announced = { kind, from: change.from };
    if (change.from >= actsFrom(timetable, at)) inTime.push(change);
    else this.#context.problem("pause-soon", { game: key, round: from });
  }

  /** A game's first odds tell its timetable, and may stand behind what was announced before its first round. */
  #whenTimed(take: (timetable: Timetable) => void): void {
    const { timetable } = this.#game;
    if (timetable) take(timetable);
    else this.#untimed.push(take);
  }

  /** What is announced came before the round that it acts from, and not with an earlier date than it was made. */
  #checkDate(leaf: Leaf<"beacon"> | Leaf<"pause"> | Leaf<"resume">): void {
    const { kind, from, at } = leaf;
    const { timetable, key: game } = this.#game;
    this.#context.heads.onDated(at, mostLate(leaf, timetable), (dated, time) => {
      const facts = { game, round: from, kind, at: toIso(at) };
      if (dated === "back") this.#context.problem("dated-back", facts);
      if (dated === "clock") this.#context.note("dated", { ...facts, time: toIso(time) });
    });
  }

  gap(leaf: Leaf<"gap">): void {
    const { timetable, key, changes, inTime } = this.#game;
    if (!timetable) return;
    const range = { from: this.#game.ordinal(leaf.from)!, to: this.#game.ordinal(leaf.to)! };
    const facts = { game: key, from: leaf.from, to: leaf.to };
    const isPaused = () => [changes, inTime].every((told) => splitByPause(told, range).every(({ paused }) => paused));
    if (leaf.reason === "paused" && !isPaused()) this.#context.problem("gap-unannounced", facts);
    this.#context.note("gap-told", { ...facts, reason: leaf.reason });
    this.#markRounds(leaf);
    this.#game.gaps.push(range);
    this.#awaitSeeds(leaf, roundsPerDay(timetable));
  }

  /** No round that was opened may stand in a gap, but one that a wrong clock opened, and nobody bet on. */
  #markRounds({ from, to, reason }: Leaf<"gap">): void {
    for (const [day, marks] of this.#game.days) {
      if (day < from.slice(0, 8) || day > to.slice(0, 8)) continue;
      const first = day === from.slice(0, 8) ? Number(from.slice(9)) : 1;
      const last = day === to.slice(0, 8) ? Number(to.slice(9)) : marks.shown;
      for (let number = first; number <= last; number++) {
        if (!marks.has(number, MARK.opened)) continue;
        const round = `${day}-${String(number).padStart(4, "0")}`;
        if (reason !== "clock" || marks.has(number, MARK.drawn) || marks.has(number, MARK.bets))
          this.#context.problem("gap-over-round", { game: this.#game.key, round });
        else marks.mark(number, MARK.void);
      }
    }
  }

  #awaitSeeds({ from, to, at }: Leaf<"gap">, perDay: number): void {
    const first = parseDay(from.slice(0, 8))!;
    const last = parseDay(to.slice(0, 8))!;
    for (let day = first; day <= Math.min(last, first + MOST_DAYS); day++) {
      const number = day === last ? Number(to.slice(9)) : perDay;
      const round = `${dayText(day)}-${String(number).padStart(4, "0")}`;
      this.#hidden.push({ round, dueAt: at + GAP_SHOWN_MS, openings: 0 });
    }
  }

  skipped({ from, to, seed }: Leaf<"skipped">): void {
    const { key: game, timetable } = this.#game;
    const { marks, number } = this.#game.at(to);
    if (!marks.isSeed(number, seed)) this.#context.problem("gap-seed", { game, from, to });
    marks.shown = Math.max(marks.shown, number);
    if (!timetable) return;
    const range = { from: this.#game.ordinal(from)!, to: this.#game.ordinal(to)! };
    this.#context.heads.onHead(() => {
      if (this.#game.uncovered(range)) this.#context.problem("gap-none", { game, from, to });
    });
  }

  /** A round opened at that time: the seeds of gaps are due some openings after they may be shown. */
  opening(at: number): void {
    if (this.#hidden.length === 0) return;
    const isHidden = ({ round }: Hidden) =>
      (this.#game.days.get(round.slice(0, 8))?.reached ?? 0) < Number(round.slice(9));
    this.#hidden = this.#hidden.filter(isHidden);
    for (const one of this.#hidden) if (one.dueAt <= at) one.openings++;
    const isOver = ({ openings }: Hidden) => openings > this.#hidden.length + OPENINGS_TO_SPARE;
    for (const { round } of this.#hidden.filter(isOver))
      this.#context.problem("gap-hidden", { game: this.#game.key, round });
    this.#hidden = this.#hidden.filter((one) => !isOver(one));
  }

  /** What is announced and has not begun at the end: readers compare it with what the house tells them. */
  end(): void {
    const announced = this.#announced;
    if (!announced || this.#game.opened.slice(-1).some((newest) => announced.from <= newest)) return;
    const { key: game } = this.#game;
    this.#context.note("announced", { game, round: this.#game.name(announced.from), kind: announced.kind });
  }
}
