import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { anchors, gaps, games, rounds } from "#db/schema/index.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { ordinalOf, placeOf, roundAt, roundText } from "#shared/lottery/schedule.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;

/** Rounds as ordinals, both ends included. */
interface Range {
  from: number;
  to: number;
}

/** Recomputes every draw from its seed, traces every seed to its day's anchor, and checks that each missing round is in a gap. */
export async function auditDraws(read: Tx, now: number, found: Findings): Promise<{ rounds: number; gaps: number }> {
  const total = { rounds: 0, gaps: 0 };
  for (const game of await read.select().from(games)) {
    const anchorOf = await readAnchors(read, game.id);
    const missing = await readGaps(read, game);
    total.gaps += missing.length;
    const played: number[] = [];
    /** The previous round of each day. A wrong clock may have mixed days, but never the rounds of one day. */
    const before = new Map<number, Round>();
    const page = (after: number, limit: number) =>
      read
        .select()
        .from(rounds)
        .where(and(eq(rounds.gameId, game.id), gt(rounds.id, after)))
        .orderBy(asc(rounds.id))
        .limit(limit);
    for await (const round of inPages(page)) {
      total.rounds++;
      checkDraw(game, round, before.get(round.day), anchorOf.get(round.day), found);
      if (round.skippedAt === null) played.push(ordinalOf(game, round));
      before.set(round.day, round);
      if (before.size > 2) before.delete(before.keys().next().value!);
    }
    checkCalendar(game, played, missing, now, found);
  }
  return total;
}

/** Hashes the seed down to the last known link: the previous round of the day, or the anchor. */
function checkDraw(
  game: Game,
  round: Round,
  before: Round | undefined,
  anchor: string | undefined,
  found: Findings,
): void {
  const name = `round ${game.key} ${roundText(round)}`;
  const { seed, dice, closedAt, drawnAt, failure } = round;
  found.check(failure === null, () => `${name} failed a check and is not paid (round:retry): ${failure}`);
  found.check(drawnAt === null || closedAt !== null, () => `${name} was drawn before it was closed`);
  if (seed === null || dice === null) return;
  const bytes = hexToBytes(seed);
  const linked = before?.day === round.day && before.seed !== null ? before : null;
  let link: Uint8Array = bytes;
  for (let i = linked?.number ?? 0; i < round.number; i++) link = sha256(link);
  found.check(
    bytesToHex(link) === (linked?.seed ?? anchor),
    () => `${name}: its seed does not lead to the day's anchor`,
  );
  found.check(commitOf(bytes) === round.commit, () => `${name}: its seed is not the committed one`);
  const drawn = drawOf(rulesOf(game.kind), bytes, {
    gameKey: game.key,
    round: roundText(round),
    beacon: round.beacon,
  });
  found.check(drawn.join() === dice.join(), () => `${name}: the seed gives ${drawn.join()}, it says ${dice.join()}`);
}

/**
 * Checks that every round whose time has come was played or is in exactly one gap. Rounds further ahead come from a
 * wrong clock.
 */
function checkCalendar(game: Game, played: number[], missing: Range[], now: number, found: Findings): void {
  const name = (ordinal: number) => roundText(placeOf(game, ordinal));
  const here = ordinalOf(game, roundAt(game, now));
  const newest = played.reduce((most, at) => (at <= here && at > most ? at : most), Number.NEGATIVE_INFINITY);
  const spans = [...played.map((at) => ({ from: at, to: at })), ...missing].sort((a, b) => a.from - b.from);
  let next = spans[0]?.from ?? 0;
  for (const { from, to } of spans) {
    const isCovered = from <= next || next > newest;
    found.check(
      isCovered,
      () => `${game.key}: rounds ${name(next)} to ${name(from - 1)} are missing without a gap record`,
    );
    found.check(from >= next, () => `${game.key}: round ${name(from)} stands twice, as played or as missing`);
    next = to + 1;
  }
}

async function readAnchors(read: Tx, gameId: number): Promise<Map<number, string>> {
  const rows = await read.select().from(anchors).where(eq(anchors.gameId, gameId));
  return new Map(rows.map(({ day, anchor }) => [day, anchor]));
}

async function readGaps(read: Tx, game: Game): Promise<Range[]> {
  const rows = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt)));
  return rows.map(({ fromDay, fromNumber, toDay, toNumber }) => ({
    from: ordinalOf(game, { day: fromDay, number: fromNumber }),
    to: ordinalOf(game, { day: toDay, number: toNumber }),
  }));
}
