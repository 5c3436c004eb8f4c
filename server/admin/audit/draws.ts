import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { anchors, gaps, games, pauses, rounds, shownPlaces } from "#db/schema/index.ts";
import type { BeaconCheck, BeaconChange } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { actsFrom, splitByPause, type PauseChange } from "#shared/lottery/pauses.ts";
import { ordinalOf, placeOf, roundAt, roundText } from "#shared/lottery/schedule.ts";
import { auditBeaconChanges, BeaconAudit } from "./beacons.ts";
import type { Findings } from "./findings.ts";
import { checkTimes } from "./lateness.ts";
import { inPages } from "./pages.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Game = typeof games.$inferSelect;
type Round = typeof rounds.$inferSelect;

/** Rounds as ordinals, both ends included. */
interface Range {
  from: number;
  to: number;
}

interface Gap extends Range {
  reason: string;
}

/**
 * Recomputes every draw from its seed, traces every seed to its day's anchor, and checks that each missing round is in a
 * gap, each pause and change of beacon announced, each beacon genuine, each draw in time, and no place opened that was
 * shown before.
 */
export async function auditDraws(
  read: Tx,
  now: number,
  signs: SignsOfLife,
  found: Findings,
  chains: BeaconCheck = QUICKNET_BEACONS,
): Promise<{ rounds: number; gaps: number }> {
  const beacons = new BeaconAudit(chains, found);
  const total = { rounds: 0, gaps: 0 };
  for (const game of await read.select().from(games)) {
    const missing = await readGaps(read, game);
    total.gaps += missing.length;
    checkPauses(game, await readAnnounced(read, game), missing, found);
    const played = await auditRounds(read, game, { signs, beacons }, found);
    total.rounds += played.rounds;
    checkCalendar(game, played.places, missing, now, found);
  }
  beacons.end();
  return total;
}

/** Checks each round of a game by itself. Returns how many there are, and the places of those that were played. */
async function auditRounds(
  read: Tx,
  game: Game,
  { signs, beacons }: { signs: SignsOfLife; beacons: BeaconAudit },
  found: Findings,
): Promise<{ rounds: number; places: number[] }> {
  const changes: BeaconChange[] = await auditBeaconChanges(read, game, found);
  const anchorOf = await readAnchors(read, game.id);
  const shown = await readShown(read, game.id);
  checkShown(game, shown, anchorOf, found);
  const played = { rounds: 0, places: [] as number[] };
  /** The previous round of each day. A wrong clock may have mixed days, but never the rounds of one day. */
  const before = new Map<number, Round>();
  let opened: Round | undefined;
  const page = (after: number, limit: number) =>
    read
      .select()
      .from(rounds)
      .where(and(eq(rounds.gameId, game.id), gt(rounds.id, after)))
      .orderBy(asc(rounds.id))
      .limit(limit);
  for await (const round of inPages(page)) {
    played.rounds++;
    const last = before.get(round.day);
    beacons.audit(`round ${game.key} ${roundText(round)}`, game, round, changes);
    checkDraw(game, round, last, anchorOf.get(round.day), found);
    checkPlace(game, round, last, shown.get(round.day), found);
    if (opened) checkTimes({ game, round: opened, next: round }, signs, found);
    opened = round;
    if (round.skippedAt === null) played.places.push(ordinalOf(game, round));
    before.set(round.day, round);
  }
  if (opened) checkTimes({ game, round: opened, next: undefined }, signs, found);
  return played;
}

/** No round is opened at a place of its day that was shown before, and each that is opened is kept as shown. */
function checkPlace(
  game: Game,
  round: Round,
  last: Round | undefined,
  shown: Shown | undefined,
  found: Findings,
): void {
  const name = `round ${game.key} ${roundText(round)}`;
  const isNew = last === undefined || last.number < round.number;
  found.check(isNew, () => `${name} was opened at a place that had been shown`);
  const isKept = shown !== undefined && shown.number >= round.number;
  found.check(isKept, () => `${name} is above the highest place that is kept as shown of its day`);
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
  const isWhole = (drawnAt === null) === (seed === null) && (seed === null) === (dice === null);
  found.check(isWhole, () => `${name}: of its draw, its seed and its dice one is missing`);
  if (seed === null || dice === null) return;
  const bytes = hexToBytes(seed);
  const known = before?.seed ? before : { number: 0, seed: anchor };
  let link: Uint8Array = bytes;
  for (let i = known.number; i < round.number; i++) link = sha256(link);
  found.check(bytesToHex(link) === known.seed, () => `${name}: its seed does not lead to the day's anchor`);
  found.check(commitOf(bytes) === round.commit, () => `${name}: its seed is not the committed one`);
  const drawn = drawOf(rulesOf(game.kind), bytes, {
    gameKey: game.key,
    round: roundText(round),
    rule: round.beaconRule,
    beacon: round.beacon,
  });
  found.check(
    drawn.join() === dice.join(),
    () => `${name}: the seed gives ${drawn.join()}, the round has ${dice.join()}`,
  );
}

/**
 * Checks that every round whose time has come was played or is in exactly one gap. Rounds further ahead come from a
 * wrong clock.
 */
function checkCalendar(game: Game, played: number[], missing: Range[], now: number, found: Findings): void {
  const name = (ordinal: number) => roundText(placeOf(game, ordinal));
  const here = ordinalOf(game, roundAt(game, now));
  const newest = played.reduce((most, at) => (at <= here ? Math.max(most, at) : most), Number.NEGATIVE_INFINITY);
  const spans = [...played.map((at) => ({ from: at, to: at })), ...missing].sort((a, b) => a.from - b.from);
  for (const [i, { from }] of spans.slice(1).entries()) {
    const next = spans[i]!.to + 1;
    const isCovered = from <= next || next > newest;
    found.check(
      isCovered,
      () => `${game.key}: rounds ${name(next)} to ${name(from - 1)} are missing without a gap record`,
    );
    found.check(from >= next, () => `${game.key}: round ${name(from)} is recorded twice, as played or as missing`);
  }
}

type Announced = PauseChange & { announcedAt: number | null };

/** Checks that pauses were announced in time, and that they explain every gap that says so. */
function checkPauses(game: Game, changes: Announced[], missing: Gap[], found: Findings): void {
  const name = (ordinal: number) => roundText(placeOf(game, ordinal));
  let isAnnounced = false;
  for (const { from, paused, announcedAt } of changes) {
    const what = `${game.key}: ${paused ? "the pause" : "the end of a pause"} from ${name(from)}`;
    // The oldest rows are from before pauses were announced.
    found.check(announcedAt !== null || !isAnnounced, () => `${what} was not announced`);
    isAnnounced ||= announcedAt !== null;
    const inTime = announcedAt === null || actsFrom(game, announcedAt) <= from;
    found.check(inTime, () => `${what} was announced less than two rounds ahead`);
  }
  for (const { from, to, reason } of missing) {
    const isCovered = reason !== "paused" || splitByPause(changes, { from, to }).every(({ paused }) => paused);
    found.check(
      isCovered,
      () => `${game.key}: the gap ${name(from)} to ${name(to)} says paused, but no pause covers it`,
    );
  }
}

/** A seed that ends a gap tells what all of the gap would have drawn, so it must lead to the day's anchor. */
function checkShown(game: Game, shown: Map<number, Shown>, anchorOf: Map<number, string>, found: Findings): void {
  for (const { day, number, seed } of shown.values()) {
    if (seed === null) continue;
    let link: Uint8Array = hexToBytes(seed);
    for (let i = 0; i < number; i++) link = sha256(link);
    const name = roundText({ day, number });
    found.check(
      bytesToHex(link) === anchorOf.get(day),
      () => `${game.key}: the seed shown for ${name}, in a gap, does not lead to the day's anchor`,
    );
  }
}

async function readAnchors(read: Tx, gameId: number): Promise<Map<number, string>> {
  const rows = await read.select().from(anchors).where(eq(anchors.gameId, gameId));
  return new Map(rows.map(({ day, anchor }) => [day, anchor]));
}

type Shown = typeof shownPlaces.$inferSelect;

/** The highest place of each day that was shown. */
async function readShown(read: Tx, gameId: number): Promise<Map<number, Shown>> {
  const rows = await read.select().from(shownPlaces).where(eq(shownPlaces.gameId, gameId));
  return new Map(rows.map((row) => [row.day, row]));
}

async function readAnnounced(read: Tx, game: Game): Promise<Announced[]> {
  const rows = await read.select().from(pauses).where(eq(pauses.gameId, game.id)).orderBy(asc(pauses.id));
  return rows.map(({ fromDay, fromNumber, paused, announcedAt }) => ({
    from: ordinalOf(game, { day: fromDay, number: fromNumber }),
    paused,
    announcedAt,
  }));
}

async function readGaps(read: Tx, game: Game): Promise<Gap[]> {
  const rows = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt)));
  return rows.map(({ fromDay, fromNumber, toDay, toNumber, reason }) => ({
    reason,
    from: ordinalOf(game, { day: fromDay, number: fromNumber }),
    to: ordinalOf(game, { day: toDay, number: toNumber }),
  }));
}
