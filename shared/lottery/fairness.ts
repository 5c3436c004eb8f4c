import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { GAME_KINDS } from "./games.ts";
import type { Draw, Rules } from "./rules.ts";
import { parseRound } from "./schedule.ts";

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

/** All seeds of a day in one block of 32 bytes each: seed_0 first, seed_N last. */
export function chainOfDay(lastSeed: Uint8Array, rounds: number): Uint8Array {
  const chain = new Uint8Array((rounds + 1) * 32);
  let seed = lastSeed;
  for (let i = rounds; i > 0; i--) {
    chain.set(seed, i * 32);
    seed = sha256(seed);
  }
  chain.set(seed, 0);
  return chain;
}

export const seedOf = (chain: Uint8Array, index: number): Uint8Array => chain.subarray(index * 32, (index + 1) * 32);

export const commitOf = (seed: Uint8Array): string => bytesToHex(sha256(seed));

/**
 * The draw of a round. The rules of its kind turn bytes into dice: those of HMAC-SHA256(seed, "KEY:EXPECT:BEACON"), and if
 * they run out, those of the same message with ":1", ":2"… appended.
 */
export function drawOf(
  rules: Pick<Rules, "drawFrom">,
  seed: Uint8Array,
  { gameKey, round, beacon }: Pick<DrawnRound, "gameKey" | "round" | "beacon">,
): Draw {
  const message = `${gameKey}:${round}:${beacon}`;
  let bytes = hmac(sha256, seed, utf8ToBytes(message));
  for (let block = 1; ; block++) {
    const draw = rules.drawFrom(bytes);
    if (draw) return draw;
    bytes = concatBytes(bytes, hmac(sha256, seed, utf8ToBytes(`${message}:${block}`)));
  }
}

/** A drawn round as the public sees it. */
export interface DrawnRound {
  gameKey: string;
  /** The kind of game. */
  kind: string;
  round: string;
  /** The round's number in its day: how many hashes lie between its seed and the anchor. */
  index: number;
  commit: string;
  seed: string;
  beacon: string;
  dice: readonly number[];
  anchor: string;
}

export type DrawCheck = "commit" | "anchor" | "dice";

/** Checks a draw from public data alone. Returns the checks that failed; none means that the draw is genuine. */
export function failedChecks(drawn: DrawnRound): DrawCheck[] {
  if (!/^[0-9a-f]{64}$/.test(drawn.seed)) return ["commit", "anchor", "dice"];
  const seed = hexToBytes(drawn.seed);
  // The round's own number says how many hashes lead to the anchor. If it could be chosen freely, so could the dice.
  const number = parseRound(drawn.round)?.number;
  let link = seed;
  for (let i = 0; i < (number ?? 0); i++) link = sha256(link);
  const rules = GAME_KINDS.get(drawn.kind);
  const failed: DrawCheck[] = [];
  if (commitOf(seed) !== drawn.commit) failed.push("commit");
  if (drawn.index !== number || bytesToHex(link) !== drawn.anchor) failed.push("anchor");
  if (!rules || drawOf(rules, seed, drawn).join() !== drawn.dice.join()) failed.push("dice");
  return failed;
}
