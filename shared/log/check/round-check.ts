import { hexToBytes } from "@noble/hashes/utils.js";
import { drawOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { parseRound, roundsPerDay, spanOf } from "#shared/lottery/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "#shared/time.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { Context } from "./context.ts";
import { mostLate } from "./dates.ts";
import type { Game } from "./game.ts";
import type { PlanCheck } from "./plan-check.ts";
import { MARK } from "./round-marks.ts";

/** A clock may be off by so much. */
const CLOCK_MS = MINUTE_MS;
/** A head comes each minute: a leaf's own time is not this far from that of its first head. */
const DATED_MS = 90 * SECOND_MS;
/** What is due is waited for that long, and then missed. */
const WAITED_MS = 10 * MINUTE_MS;
const MISSED_MS = DAY_MS;
/** A round with a beacon stops taking bets at least so long before its draw. */
const BEACON_CLOSE_S = 8;
/** Stakes go back only where the beacon lies further ahead. */
const REFUND_AHEAD_MS = HOUR_MS;

/** A round from its opening until all that belongs to it is logged. */
interface Round {
  open: Leaf<"open">;
  close: Leaf<"close"> | null;
  /** How many heads there were when its close came; before it, none are enough. */
  closeHeads: number;
  draw: Leaf<"draw"> | null;
  isPaid: boolean;
  /** How long the log had spoken by the head that holds its opening. */
  spokenMs: number;
}

type OfRound = Leaf<"close"> | Leaf<"draw"> | Leaf<"settle"> | Leaf<"refund">;

/** Checks a game's rounds: each opening, close, draw, settlement and refund against what was logged before. */
export class RoundCheck {
  readonly #game: Game;
  readonly #plan: PlanCheck;
  readonly #context: Context;
  readonly #rounds = new Map<string, Round>();
  /** The newest round that was opened, whether or not it still waits for something. */
  #newest: Round | null = null;
  /** The days of which a round was opened. */
  readonly #begun = new Set<string>();

  constructor(game: Game, plan: PlanCheck, context: Context) {
    this.#game = game;
    this.#plan = plan;
    this.#context = context;
  }

  open(leaf: Leaf<"open">): void {
    const { game, round } = leaf;
    this.#checkTerms(leaf);
    this.#checkTimes(leaf);
    this.#checkSeed(leaf);
    this.#checkOrder(leaf);
    const { marks, number } = this.#game.at(round);
    marks.mark(number, MARK.opened);
    marks.shown = Math.max(marks.shown, number);
    const { heads } = this.#context;
    const { spokenMs } = heads;
    const opened: Round = { open: leaf, close: null, closeHeads: Infinity, draw: null, isPaid: false, spokenMs };
    this.#rounds.set(round, opened);
    this.#newest = opened;
    heads.onHead((time) => {
      opened.spokenMs = heads.spokenMs;
      if (leaf.opens > time + CLOCK_MS) this.#context.problem("opened-early", { game, round });
    });
    this.#plan.opening(leaf.opens);
  }

  /** Kind, odds and unit, which were logged before. */
  #checkTerms({ game, round, rules, period, unit, odds: id, odds_hash, closes }: Leaf<"open">): void {
    const odds = this.#game.odds.get(id);
    const facts = { game, round };
    if (!odds) return this.#context.problem("odds-unlogged", facts);
    if (odds.hash !== odds_hash) this.#context.problem("odds-other", facts);
    if (odds.from > closes) this.#context.problem("odds-later", facts);
    if (odds.rules !== rules || odds.period !== period || odds.unit !== unit) this.#context.problem("terms", facts);
  }

  /** The times of its place, and the beacon rule that these and the mode in force give. */
  #checkTimes({ game, round, odds: id, opens, closes, draws, beacon_rule: rule }: Leaf<"open">): void {
    const { timetable } = this.#game;
    const facts = { game, round };
    if (!timetable) return;
    const odds = this.#game.odds.get(id);
    const place = parseRound(round)!;
    const closeS = odds?.close ?? timetable.closeS;
    const least = rule === "none" ? closeS : Math.max(closeS, BEACON_CLOSE_S);
    const span = spanOf({ periodS: timetable.periodS, closeS: least }, place);
    const isItsTime = span.opensAt <= opens && span.closesAt === closes && span.drawsAt === draws;
    if (!isItsTime || place.number > roundsPerDay(timetable)) this.#context.problem("timetable", facts);
    const mode = this.#game.modeAt(this.#game.ordinal(round)!);
    if (rule !== mode && !rule.startsWith(`${mode}:`)) this.#context.problem("rule", facts);
    else if (rule !== "none" && this.#context.beacons?.namesFirst(rule, closes) === false)
      this.#context.problem("beacon-first", facts);
  }

  /** The commit is the seed of the place before, in the chain from the day's anchor. */
  #checkSeed({ game, round, commit, opens }: Leaf<"open">): void {
    const { marks, number } = this.#game.at(round);
    const day = round.slice(0, 8);
    const isFirst = !this.#begun.has(day);
    this.#begun.add(day);
    if (marks.anchor === null) {
      if (isFirst) this.#context.problem("no-anchor", { game, round });
      return;
    }
    if (isFirst) this.#plan.firstOpening(day, opens);
    if (!marks.isSeed(number - 1, commit)) this.#context.problem("commit", { game, round });
  }

  /** Nothing later was shown, the round before is closed in a head, and those between stand in gaps. */
  #checkOrder({ game, round }: Leaf<"open">): void {
    const { marks, number } = this.#game.at(round);
    if (marks.shown >= number) this.#context.problem("place-shown", { game, round });
    const before = this.#newest;
    // The first head of a log states what was there before it: rounds that wait to be drawn, and the open one.
    if (before && this.#context.heads.count > 0 && !this.#isCloseTold(before))
      this.#context.problem("before-close", { game, round, before: before.open.round });
    const ordinal = this.#game.ordinal(round);
    if (ordinal === null) return;
    if (this.#game.isInGap(ordinal)) this.#context.note("gap-opened", { game, round });
    const last = this.#game.opened.findLast((one) => one <= ordinal);
    this.#game.opened.push(ordinal);
    // Mostly there is none between.
    if (last !== undefined && last + 1 < ordinal)
      this.#context.heads.onHead(() => this.#checkMissing({ from: last, to: ordinal - 1 }));
  }

  #isCloseTold({ closeHeads }: Round): boolean {
    return this.#context.heads.count > closeHeads;
  }

  /** Each of these rounds was opened, or stands in a gap. */
  #checkMissing({ from, to }: { from: number; to: number }): void {
    for (let at = from; at <= to; at++) {
      const part = this.#game.uncovered({ from: at, to });
      if (!part) return;
      for (at = part.from; at <= part.to; at++) {
        const { marks, number } = this.#game.at(this.#game.name(at));
        if (marks.has(number, MARK.opened)) continue;
        const names = { from: this.#game.name(at), to: this.#game.name(part.to) };
        return this.#context.problem("rounds-missing", { game: this.#game.key, ...names });
      }
    }
  }

  /** The round of a leaf; undefined if it was never opened, or all of it is logged already. */
  #of({ kind, game, round }: OfRound): Round | undefined {
    const found = this.#rounds.get(round);
    const { marks, number } = this.#game.at(round);
    if (found || marks.has(number, MARK.opened)) return found;
    const ordinal = this.#game.ordinal(round);
    const isBefore = this.#game.opened.length === 0 || (ordinal !== null && ordinal < this.#game.opened[0]!);
    if (isBefore) this.#context.note("before-log", { game, round });
    else this.#context.problem("unopened", { game, round, kind });
    return undefined;
  }

  close(leaf: Leaf<"close">): void {
    const round = this.#of(leaf);
    if (!round) return;
    const { game, round: name, bets, closed } = leaf;
    const facts = { game, round: name };
    round.close = leaf;
    round.closeHeads = this.#context.heads.count;
    const { marks, number } = this.#game.at(name);
    if (bets > 0) marks.mark(number, MARK.bets);
    if (bets > 0 && marks.has(number, MARK.void)) this.#context.problem("gap-over-round", facts);
    const offMs = closed - round.open.closes;
    const seconds = Math.round(Math.abs(offMs) / SECOND_MS);
    if (offMs < 0) this.#context.note("closed-early", { ...facts, seconds });
    if (offMs > CLOCK_MS) this.#context.note("closed-late", { ...facts, seconds });
    this.#checkDate(leaf, closed);
  }

  draw(leaf: Leaf<"draw">): void {
    this.#checkReturned(leaf);
    const round = this.#of(leaf);
    if (!round) return;
    const { game, round: name, seed, due, drawn } = leaf;
    const facts = { game, round: name };
    if (!this.#isCloseTold(round)) this.#context.problem("draw-unclosed", facts);
    const { marks, number } = this.#game.at(name);
    if (marks.has(number, MARK.void)) this.#context.problem("gap-over-round", facts);
    marks.mark(number, MARK.drawn);
    if (marks.anchor !== null && !marks.isSeed(number, seed)) this.#context.problem("seed", facts);
    if (this.#context.isShownAgain(seed)) this.#context.problem("seed-again", facts);
    if (this.#checkBeacon(round.open, leaf)) this.#checkDice(round.open, leaf);
    if (due !== round.open.draws) this.#context.problem("due", facts);
    const lateMs = drawn - round.open.draws;
    const seconds = Math.round(Math.abs(lateMs) / SECOND_MS);
    if (lateMs < 0) this.#context.note("drawn-early", { ...facts, seconds });
    if (lateMs > CLOCK_MS) this.#context.note("drawn-late", { ...facts, seconds });
    this.#checkDate(leaf, drawn);
    round.draw = leaf;
    // Nothing has to be paid any more.
    if (round.isPaid || round.close?.bets === 0) this.#rounds.delete(name);
  }

  /** Whether the dice can be computed from what stands there. */
  #checkBeacon({ beacon_rule: rule, closes }: Leaf<"open">, leaf: Leaf<"draw">): boolean {
    const { game, round, beacon, beacon_signature: signature, due } = leaf;
    const { beacons, problem, note, awaitSignature } = this.#context;
    if (rule === "none") {
      if (beacon !== "" || signature !== "") problem("beacon", { game, round });
      return true;
    }
    if (!beacons) {
      note("beacon-unchecked", { game, round });
      return false;
    }
    if (beacons.fits({ rule, beacon, signature, closes, due })) awaitSignature({ rule, signature }, { game, round });
    else problem("beacon-false", { game, round });
    const signedAt = beacons.signedAt(rule);
    if (signedAt !== null) this.#context.heads.shown(signedAt);
    return true;
  }

  #checkDice(
    { rules: kind, beacon_rule: rule }: Leaf<"open">,
    { game, round, seed, beacon, dice }: Leaf<"draw">,
  ): void {
    const rules = GAME_KINDS.get(kind);
    const place = { gameKey: game, round, rule, beacon };
    if (!rules || drawOf(rules, hexToBytes(seed), place).join() !== dice.join())
      this.#context.problem("dice", { game, round });
  }

  #checkDate({ kind, game, round }: Leaf<"close"> | Leaf<"draw"> | Leaf<"refund">, at: number): void {
    this.#context.heads.onHead((time) => {
      if (Math.abs(time - at) <= DATED_MS) return;
      this.#context.note("dated", { game, round, kind, at: toIso(at), time: toIso(time) });
    });
  }

  settle(leaf: Leaf<"settle">): void {
    const { game, round: name, payouts, payout } = leaf;
    this.#checkReturned(leaf);
    const round = this.#of(leaf);
    if (!round) {
      const { marks, number } = this.#game.at(name);
      const isWithoutBets = marks.has(number, MARK.drawn) && !marks.has(number, MARK.bets);
      if (isWithoutBets && payouts + payout > 0) this.#context.problem("settle-sum", { game, round: name });
      return;
    }
    if (!round.draw) this.#context.problem("settle-undrawn", { game, round: name });
    const { close } = round;
    const best = Math.max(0, ...(this.#game.odds.get(round.open.odds)?.rates ?? []));
    const isTooMuch = close
      ? payouts > close.bets || BigInt(payout) * 1_000n > BigInt(close.stake) * BigInt(best)
      : payouts > 0;
    if (isTooMuch || (payouts === 0 && payout > 0)) this.#context.problem("settle-sum", { game, round: name });
    round.isPaid = true;
    if (round.draw) this.#rounds.delete(name);
  }

  /** Where stakes went back, nothing is drawn or paid afterwards. */
  #checkReturned({ game, round }: Leaf<"draw"> | Leaf<"settle">): void {
    const { marks, number } = this.#game.at(round);
    if (marks.has(number, MARK.returned)) this.#context.problem("refund", { game, round });
  }

  refund(leaf: Leaf<"refund">): void {
    const round = this.#of(leaf);
    if (!round) return;
    const { marks, number } = this.#game.at(leaf.round);
    marks.mark(number, MARK.returned);
    this.#checkRefundDate(leaf);
    const { game, round: name, bets, stake, bets_root, at } = leaf;
    const { beacon_rule: rule } = round.open;
    const signedAt = rule === "none" ? null : this.#context.beacons?.signedAt(rule);
    if (!this.#context.beacons && rule !== "none") this.#context.note("beacon-unchecked", { game, round: name });
    else if (round.draw || !signedAt || signedAt <= at + REFUND_AHEAD_MS)
      this.#context.problem("refund", { game, round: name });
    const { close } = round;
    if (close?.bets !== bets || close.stake !== stake || close.bets_root !== bets_root)
      this.#context.problem("refund-sum", { game, round: name });
    this.#rounds.delete(name);
  }

  /**
   * Stakes go back before anybody can know the beacon, so their date is all that a draw could be escaped by. Where a clock
   * was wrong, it was ahead: that head's time is later than the date, and the log had jumped to it.
   */
  #checkRefundDate(leaf: Leaf<"refund">): void {
    const { game, round, at } = leaf;
    this.#checkDate(leaf, at);
    this.#context.heads.onDated(at, mostLate(leaf, this.#game.timetable), (dated, time) => {
      if (dated === "back") this.#context.problem("refund-dated", { game, round, at: toIso(at), time: toIso(time) });
    });
  }

  /** What is missing at the end, at the time of the last head. */
  end(time: number): void {
    for (const [round, { open, close, draw, spokenMs }] of this.#rounds) {
      const { marks, number } = this.#game.at(round);
      if (close && marks.has(number, MARK.void)) continue;
      const missing = !close
        ? { kind: "close", due: open.closes }
        : !draw
          ? { kind: "draw", due: open.draws }
          : { kind: "settle", due: draw.drawn };
      // Under a clock that was set ahead meanwhile, what was due then could not be done in time.
      const waited = Math.min(time - missing.due, this.#context.heads.spokenMs - spokenMs);
      if (waited <= WAITED_MS) continue;
      const facts = { game: open.game, round, kind: missing.kind, time: toIso(missing.due) };
      if (waited > MISSED_MS) this.#context.problem("overdue", facts);
      else this.#context.note("waiting", facts);
    }
  }
}
