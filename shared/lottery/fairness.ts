import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "#shared/merkle.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { isBeaconGenuine, mixedIn, NOTHING_SIGNED, timetableUnder, type TimedBeacon } from "./beacon.ts";
import { GAME_KINDS } from "./games.ts";
import { isOddsRecord, type OddsRecord } from "./odds-record.ts";
import type { Draw, Rules } from "./rules.ts";
import { parseRound, spanOf } from "./schedule.ts";

/**
 * How draws are made. Server, browser and verifier share this code.
 *
 * Each game has one hash chain a day: seed_N comes from the master key,
 * seed_i = SHA256(seed_{i+1}), and seed_0, the anchor, is public days ahead.
 * Round n is drawn from seed_n; its commit is seed_{n-1}, so revealing a round
 * gives away the commit of the next and nothing more.
 */

/** The seed that ends a day's chain. HKDF-SHA256 (RFC 5869) without salt. */
export function lastSeedOfDay(masterKey: Uint8Array, gameKey: string, day: string): Uint8Array {
  return hkdf(sha256, masterKey, undefined, utf8ToBytes(`draw:${gameKey}:${day}`), 32);
}

/**
 * All seeds of a day in one block of 32 bytes each: seed_0 first, seed_N last. `hash` is SHA-256; the platform's own is
 * faster, and not everywhere.
 */
export function chainOfDay(lastSeed: Uint8Array, rounds: number, hash: Hash = sha256): Uint8Array {
  const chain = new Uint8Array((rounds + 1) * 32);
  let seed = lastSeed;
  for (let i = rounds; i > 0; i--) {
    chain.set(seed, i * 32);
    seed = hash(seed);
  }
  chain.set(seed, 0);
  return chain;
}

export const seedOf = (chain: Uint8Array, index: number): Uint8Array => chain.subarray(index * 32, (index + 1) * 32);

export const commitOf = (seed: Uint8Array): string => bytesToHex(sha256(seed));

/** Which round is drawn, and with which beacon. */
export type DrawnPlace = Pick<ChainDraw, "gameKey" | "round" | "rule" | "beacon">;

/** The HMAC's message, "KEY:EXPECT:BEACON". Under the rule `none` the beacon is empty, whatever a row or an answer says. */
export const messageOf = ({ gameKey, round, ...beacon }: DrawnPlace): string =>
  `${gameKey}:${round}:${mixedIn(beacon)}`;

/**
 * The draw of a round. The rules of its kind turn bytes into dice: those of HMAC-SHA256(seed, message), and if they run
 * out, those of the same message with ":1", ":2"… appended.
 */
export function drawOf(rules: Pick<Rules, "drawFrom">, seed: Uint8Array, place: DrawnPlace): Draw {
  const message = messageOf(place);
  let bytes = hmac(sha256, seed, utf8ToBytes(message));
  for (let block = 1; ; block++) {
    const draw = rules.drawFrom(bytes);
    if (draw) return draw;
    bytes = concatBytes(bytes, hmac(sha256, seed, utf8ToBytes(`${message}:${block}`)));
  }
}

/** From this delay on a draw is late. Whoever restarts, or takes over, needs less. */
const LATE_MS = 60_000;

/** How many seconds after its time a round was drawn; 0 unless that is late. */
export const lateBy = ({ due, drawn }: { due: number; drawn: number }): number =>
  drawn - due > LATE_MS ? Math.round((drawn - due) / 1000) : 0;

/** A draw that follows from a chain: of a round that was drawn, or of one in a gap, which would have been. */
export interface ChainDraw extends TimedBeacon {
  gameKey: string;
  /** The kind of game. */
  kind: string;
  round: string;
  /** The round's number in its day: how many hashes lie between its seed and the anchor. */
  index: number;
  commit: string;
  seed: string;
  dice: readonly number[];
  anchor: string;
}

/** A drawn round as the public sees it. */
export interface DrawnRound extends ChainDraw {
  odds: OddsRecord | null;
  /**
   * What the log proves that the round opened with. Without it rule, close and odds are the word of whoever shows the draw,
   * and among all beacons of the past there is one for any dice.
   */
  opening?: Leaf<"open"> | null;
}

export type ChainCheck = "commit" | "anchor" | "beacon" | "dice";
export type DrawCheck = ChainCheck | "odds";

/**
 * Checks a draw from public data alone. Returns the checks that failed; none means that the draw is genuine. Without
 * a check of beacons, no round with a beacon is.
 */
export function failedChecks(drawn: DrawnRound, beacons = NOTHING_SIGNED): DrawCheck[] {
  const rules = GAME_KINDS.get(drawn.kind);
  const isTrue = rules && drawn.odds?.game === drawn.gameKey && isOddsRecord(rules, drawn.odds);
  const failed = [...failedInChain(drawn, beacons), ...(isTrue ? [] : ["odds" as const])];
  return drawn.opening ? [...new Set([...failed, ...otherThanOpened(drawn, drawn.opening)])] : failed;
}

/** What a draw shows otherwise than its round opened with. */
function otherThanOpened({ odds, ...drawn }: DrawnRound, opening: Leaf<"open">): DrawCheck[] {
  const isSame: Record<DrawCheck, boolean> = {
    commit: drawn.commit === opening.commit,
    anchor: true,
    beacon:
      drawn.rule === opening.beacon_rule &&
      drawn.closes === opening.closes &&
      drawn.due === opening.draws &&
      (odds === null || isInTime(opening, odds)),
    dice: drawn.kind === opening.rules,
    odds: odds?.hash === opening.odds_hash,
  };
  return (Object.keys(isSame) as DrawCheck[]).filter((check) => !isSame[check]);
}

/** Whether a round opened with the times of its place in the day: its beacon follows from them. */
export function isInTime(
  { round, period, beacon_rule: rule, closes, draws }: Leaf<"open">,
  odds: Pick<OddsRecord, "period" | "close">,
): boolean {
  const place = parseRound(round);
  if (!place || odds.period !== period) return false;
  const span = spanOf(timetableUnder(rule, { periodS: period, closeS: odds.close }), place);
  return span.closesAt === closes && span.drawsAt === draws;
}

/** Checks what a round in a gap would have drawn. */
export function failedInChain(drawn: ChainDraw, beacons = NOTHING_SIGNED): ChainCheck[] {
  const beacon: ChainCheck[] = isBeaconGenuine(drawn, beacons) ? [] : ["beacon"];
  if (!/^[0-9a-f]{64}$/.test(drawn.seed)) return ["commit", "anchor", ...beacon, "dice"];
  const seed = hexToBytes(drawn.seed);
  // The round's own number says how many hashes lead to the anchor. If it could be chosen freely, so could the dice.
  const number = parseRound(drawn.round)?.number;
  let link = seed;
  for (let i = 0; i < (number ?? 0); i++) link = sha256(link);
  const rules = GAME_KINDS.get(drawn.kind);
  const failed: ChainCheck[] = [];
  if (commitOf(seed) !== drawn.commit) failed.push("commit");
  if (drawn.index !== number || bytesToHex(link) !== drawn.anchor) failed.push("anchor");
  failed.push(...beacon);
  if (!rules || drawOf(rules, seed, drawn).join() !== drawn.dice.join()) failed.push("dice");
  return failed;
}
