import { and, between, desc, eq, gt, gte, isNull, lt, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { gaps, rounds, shownPlaces } from "#db/schema/lottery.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { splitByPause, type GapReason, type PauseChange } from "#shared/lottery/pauses.ts";
import { ordinalOf, placeOf, roundAt, roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";

/** A range of rounds by their ordinals, both ends included. */
export interface Range {
  from: number;
  to: number;
}

type Gap = typeof gaps.$inferSelect;

/** What explains a gap. */
interface Reasons {
  pauses: readonly PauseChange[];
  /** Used where it is neither a pause nor a clock that was ahead. */
  reasonsOf: ReasonsOf;
}

/** Why the rounds of a range were not opened: the parts of it, in order, each with its reason. */
export type ReasonsOf = (missed: Range) => (Range & { reason: GapReason })[];

export const wasDown: ReasonsOf = (missed) => [{ ...missed, reason: "down" }];

/** Rounds before a place in a game's calendar. */
const isBefore = ({ day, number }: RoundPlace) =>
  or(lt(rounds.day, day), and(eq(rounds.day, day), lt(rounds.number, number)));

/**
 * Records the rounds that were missed between the last opened one and `next`, both excluded. Rounds in a known gap are
 * left out.
 */
export async function recordMissed(
  tx: Tx,
  game: Game,
  next: RoundPlace,
  now: number,
  { pauses, reasonsOf }: Reasons,
): Promise<void> {
  const [last] = await tx
    .select({ day: rounds.day, number: rounds.number })
    .from(rounds)
    // Scans backwards from the newest round: the `+ 0` keeps the planner from sorting all rounds of the game.
    .where(and(sql`${rounds.gameId} + 0 = ${game.id}`, isBefore(next)))
    .orderBy(desc(rounds.id))
    .limit(1);
  // A new game has missed no round.
  if (!last) return;
  const missed = { from: ordinalOf(game, last) + 1, to: ordinalOf(game, next) - 1 };
  if (missed.to < missed.from) return;
  const known = await tx.select().from(gaps).where(eq(gaps.gameId, game.id));
  const live = known.filter(({ takenBackAt }) => takenBackAt === null).map((gap) => rangeOf(game, gap));
  const wasWrong = known.filter(({ takenBackAt }) => takenBackAt !== null).map((gap) => rangeOf(game, gap));
  const opened = (await openedIn(tx, game, missed)).map((at) => ({ from: at, to: at }));
  for (const range of without(missed, [...live, ...opened])) {
    for (const { paused, ...part } of splitByPause(pauses, range)) {
      const isClock = wasWrong.some(({ from, to }) => from <= part.from && part.from <= to);
      const known = paused ? "paused" : isClock ? "clock" : null;
      const parts = known ? [{ ...part, reason: known } as const] : reasonsOf(part);
      for (const { reason, ...missed } of parts) await insertGap(tx, game, missed, reason, now);
    }
  }
}

/**
 * Corrects what was written while the clock was ahead. Gaps that reach into the future are taken back. Places that were
 * shown stay a gap, with the reason `clock`: they must never be opened. `early` was just closed; `isSkipped` means that
 * nobody bet on it.
 */
export async function correctGaps(
  tx: Tx,
  game: Game,
  now: number,
  early?: RoundPlace & { isSkipped: boolean },
): Promise<void> {
  const earlyAt = early && ordinalOf(game, early);
  const dead: Range[] = early?.isSkipped ? [{ from: earlyAt!, to: earlyAt! }] : [];
  for (const gap of await gapsToCome(tx, game, now)) {
    const whole = rangeOf(game, gap);
    const shown = joined(await shownOf(tx, game, gap));
    const isRight = shown.length === 1 && shown[0]!.from === whole.from && shown[0]!.to === whole.to;
    if (isRight && whole.to + 1 !== earlyAt) continue;
    await tx.update(gaps).set({ takenBackAt: now }).where(eq(gaps.id, gap.id));
    dead.push(...shown);
  }
  for (const range of joined(dead)) await insertGap(tx, game, range, "clock", now);
}

/** Gaps that reach the current round or later ones. */
function gapsToCome(tx: Tx, game: Game, now: number): Promise<Gap[]> {
  const { day, number } = roundAt(game, now);
  const reaches = or(gt(gaps.toDay, day), and(eq(gaps.toDay, day), gte(gaps.toNumber, number)));
  return tx
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt), reaches));
}

/** The places of a gap that may not be opened any more, day by day. */
async function shownOf(tx: Tx, game: Game, gap: Gap): Promise<Range[]> {
  const { from, to } = rangeOf(game, gap);
  const ofGap = and(eq(shownPlaces.gameId, game.id), between(shownPlaces.day, gap.fromDay, gap.toDay));
  const marks = await tx.select().from(shownPlaces).where(ofGap);
  return marks
    .map(({ day, number }) => ({
      from: Math.max(from, ordinalOf(game, { day, number: 1 })),
      to: Math.min(to, ordinalOf(game, { day, number })),
    }))
    .filter((range) => range.from <= range.to);
}

/** Merges overlapping and neighbouring ranges. */
function joined(ranges: Range[]): Range[] {
  const whole: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else whole.push({ ...range });
  }
  return whole;
}

async function openedIn(tx: Tx, game: Game, { from, to }: Range): Promise<number[]> {
  const [first, behind] = [placeOf(game, from), placeOf(game, to + 1)];
  const isFrom = or(gt(rounds.day, first.day), and(eq(rounds.day, first.day), gte(rounds.number, first.number)));
  const found = await tx
    .select({ day: rounds.day, number: rounds.number })
    .from(rounds)
    .where(and(eq(rounds.gameId, game.id), isFrom, isBefore(behind)));
  return found.map((place) => ordinalOf(game, place));
}

/** The parts of a range that no other range covers. */
function without(range: Range, others: Range[]): Range[] {
  const left: Range[] = [];
  let { from } = range;
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.to < from || other.from > range.to) continue;
    if (other.from > from) left.push({ from, to: other.from - 1 });
    from = other.to + 1;
  }
  if (from <= range.to) left.push({ from, to: range.to });
  return left;
}

const rangeOf = (game: Game, { fromDay, fromNumber, toDay, toNumber }: Gap): Range => ({
  from: ordinalOf(game, { day: fromDay, number: fromNumber }),
  to: ordinalOf(game, { day: toDay, number: toNumber }),
});

async function insertGap(tx: Tx, game: Game, { from, to }: Range, reason: GapReason, createdAt: number): Promise<void> {
  const [first, last] = [placeOf(game, from), placeOf(game, to)];
  await tx.insert(gaps).values({
    gameId: game.id,
    fromDay: first.day,
    fromNumber: first.number,
    toDay: last.day,
    toNumber: last.number,
    reason,
    createdAt,
  });
  const range = { from: roundText(first), to: roundText(last) };
  await addLeaf(tx, { kind: "gap", game: game.key, ...range, reason, at: createdAt });
}
