import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { and, eq, gt, gte, isNull, lt, lte, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import type { Beacons } from "#server/app/deps.ts";
import { anchors, gaps, odds, rounds, shownPlaces } from "#db/schema/lottery.ts";
import { currentLog, shortKey } from "#server/domains/log/add-leaf.ts";
import { readNumbers } from "#server/domains/log/read-log.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { leafKey } from "#shared/log/leaf.ts";
import { modeAt, namedBeacon, NO_BEACON, randomnessOf, ruleUnder, timetableUnder } from "#shared/lottery/beacon.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { ordinalOf, parseRound, roundText, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { dayText } from "#shared/time.ts";
import { readBeaconChanges } from "./read-beacon-changes.ts";
import type { Game } from "./read-games.ts";
import { oddsTerms } from "#server/domains/log/odds-leaf.ts";

/** Where the public beacons of rounds in a gap come from: they were never drawn, so no row has theirs. */
type BeaconsForGuests = Pick<Beacons, "chains" | "findForGuests">;

/** What anybody needs to check a round, or what one in a gap would have drawn. */
export async function readFairRound(
  { read, now, beacons }: { read: Tx; now: number; beacons: BeaconsForGuests },
  game: Game,
  expect: string,
) {
  const place = parseRound(expect);
  const anchor = place && (await anchorOf(read, game, place.day));
  const record =
    anchor && ((await readRound(read, game, place)) ?? (await readMissed({ read, now, beacons }, game, place)));
  if (!record) throw new Refusal("object.unknown");
  const logged = await placesInLog(read, game, place);
  return { key: game.key, expect, kind: game.kind, index: place.number, anchor, ...record, logged };
}

/** The numbers of the leaves that fix a round's terms and its day's first seed. */
async function placesInLog(read: Tx, { key: game }: Game, place: RoundPlace) {
  const open = keyOfRound("open", { game, round: roundText(place) });
  const anchor = shortKey(leafKey({ kind: "anchor", game, day: dayText(place.day), anchor: "" }));
  const numbers = await readNumbers(read, currentLog, [open, anchor]);
  return { open: numbers.get(open) ?? null, anchor: numbers.get(anchor) ?? null };
}

async function anchorOf(read: Tx, game: Game, day: number): Promise<string | undefined> {
  const ofDay = and(eq(anchors.gameId, game.id), eq(anchors.day, day));
  const [row] = await read.select({ anchor: anchors.anchor }).from(anchors).where(ofDay);
  return row?.anchor;
}

/** A round that was opened. Its row holds the seed only once it is drawn. */
async function readRound(read: Tx, game: Game, { day, number }: RoundPlace) {
  const isPlace = and(eq(rounds.gameId, game.id), eq(rounds.day, day), eq(rounds.number, number));
  const [found] = await read
    .select({ round: rounds, odds })
    .from(rounds)
    .innerJoin(odds, eq(odds.id, rounds.oddsId))
    .where(and(isPlace, isNull(rounds.skippedAt)));
  if (!found) return undefined;
  const { commit, seed, dice, closesAt: closes, drawsAt: due, drawnAt: drawn, refundedAt } = found.round;
  const { beaconRule: rule, beacon, beaconSignature: beacon_signature } = found.round;
  const taken = oddsRecord(rulesOf(game.kind), found.odds.milli, oddsTerms(game, found.odds));
  const mixed = { rule, beacon, beacon_signature };
  const times = { closes, due, drawn, refunded: refundedAt };
  return { commit, seed, ...mixed, opencode: dice, odds: taken, ...times, gap: null };
}

/** A round in a gap. What it would have drawn is computed from a later link of the chain that is public already. */
async function readMissed(
  { read, now, beacons }: { read: Tx; now: number; beacons: BeaconsForGuests },
  game: Game,
  place: RoundPlace,
) {
  const gap = await gapAt(read, game, place);
  if (!gap) return undefined;
  const mode = modeAt(await readBeaconChanges(read, game), ordinalOf(game, place));
  const { closesAt: closes, drawsAt: due } = spanOf(timetableUnder(mode, game), place);
  const seed = due <= now ? await publicSeed(read, game, place) : null;
  const rule = ruleUnder(mode, closes, beacons.chains) ?? mode;
  const named = namedBeacon(rule);
  const signature = named && seed ? beacons.findForGuests(named) : null;
  const beacon = signature === null ? "" : randomnessOf(signature);
  const isKnown = rule === NO_BEACON || signature !== null;
  const where = { gameKey: game.key, round: roundText(place), rule, beacon };
  const dice = seed && isKnown && drawOf(rulesOf(game.kind), seed, where);
  return {
    commit: seed && commitOf(seed),
    seed: seed && bytesToHex(seed),
    rule,
    beacon,
    beacon_signature: signature ?? "",
    opencode: null,
    odds: null,
    closes,
    due,
    drawn: null,
    refunded: null,
    gap: { from: gap.gap_from, to: gap.gap_to, reason: gap.reason, opencode: dice ? [...dice] : null },
  };
}

async function gapAt(read: Tx, game: Game, { day, number }: RoundPlace) {
  const begins = or(lt(gaps.fromDay, day), and(eq(gaps.fromDay, day), lte(gaps.fromNumber, number)));
  const ends = or(gt(gaps.toDay, day), and(eq(gaps.toDay, day), gte(gaps.toNumber, number)));
  const [gap] = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt), begins, ends))
    .limit(1);
  return gap && gapView(gap);
}

/**
 * The seed of a place that nobody can open any more, as it follows from what was shown: from the commit of a later round
 * of the day, or from the seed that ended a gap. Null for a place above the highest that was shown.
 */
async function publicSeed(read: Tx, game: Game, { day, number }: RoundPlace): Promise<Uint8Array | null> {
  const [later] = await read
    .select({ number: rounds.number, commit: rounds.commit })
    .from(rounds)
    .where(and(eq(rounds.gameId, game.id), eq(rounds.day, day), gt(rounds.number, number)))
    .orderBy(rounds.number)
    .limit(1);
  if (later) return hashed(later.commit, later.number - 1 - number);
  const [shown] = await read
    .select({ number: shownPlaces.number, seed: shownPlaces.seed })
    .from(shownPlaces)
    .where(and(eq(shownPlaces.gameId, game.id), eq(shownPlaces.day, day)));
  return shown?.seed && shown.number >= number ? hashed(shown.seed, shown.number - number) : null;
}

function hashed(link: string, times: number): Uint8Array {
  let bytes: Uint8Array = hexToBytes(link);
  for (let i = 0; i < times; i++) bytes = sha256(bytes);
  return bytes;
}

/** Ranges of rounds that were never played, in order. */
export async function readGaps(read: Tx, game: Game) {
  const rows = await read
    .select()
    .from(gaps)
    .where(and(eq(gaps.gameId, game.id), isNull(gaps.takenBackAt)))
    .orderBy(gaps.fromDay, gaps.fromNumber);
  return rows.map(gapView);
}

const gapView = ({ fromDay, fromNumber, toDay, toNumber, reason }: typeof gaps.$inferSelect) => ({
  gap_from: roundText({ day: fromDay, number: fromNumber }),
  gap_to: roundText({ day: toDay, number: toNumber }),
  reason,
});
