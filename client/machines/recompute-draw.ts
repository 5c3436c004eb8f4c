import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import {
  commitOf,
  drawOf,
  failedChecks,
  failedInChain,
  messageOf,
  type ChainDraw,
  type DrawCheck,
  type DrawnRound,
} from "#shared/lottery/fairness.ts";
import { NOTHING_SIGNED, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Rules } from "#shared/lottery/rules.ts";
import { parseRound } from "#shared/lottery/schedule.ts";

/** A batch of this many hashes takes about a millisecond. */
const HASHES_AT_ONCE = 240;

/** A draw recomputed from its published seed; empty if the seed is malformed or the game kind unknown. */
export interface Recomputed {
  failed: DrawCheck[];
  /** SHA-256 of the seed. */
  commit: string;
  /** The end of the hash chain: the seed hashed as many times as the round's number. */
  anchor: string;
  /** The HMAC's first bytes, up to the one that decides the last die. */
  bytes: number[];
  dice: readonly number[];
}

const failedOf = (drawn: DrawnRound | ChainDraw, beacons: BeaconCheck): DrawCheck[] =>
  "odds" in drawn ? failedChecks(drawn, beacons) : failedInChain(drawn, beacons);

/**
 * Computes a draw from public data alone, or what a round in a gap would have drawn, yielding between batches so that the
 * page can paint.
 */
export async function recomputeDraw(
  drawn: DrawnRound | ChainDraw,
  pause: () => Promise<void>,
  beacons = NOTHING_SIGNED,
): Promise<Recomputed> {
  const rules = GAME_KINDS.get(drawn.kind);
  if (!rules || !/^[0-9a-f]{64}$/.test(drawn.seed)) {
    return { failed: failedOf(drawn, beacons), commit: "", anchor: "", bytes: [], dice: [] };
  }
  const seed = hexToBytes(drawn.seed);
  let link = seed;
  const times = parseRound(drawn.round)?.number ?? 0;
  for (let hashes = 0; hashes < times; hashes++) {
    if (hashes % HASHES_AT_ONCE === 0) await pause();
    link = sha256(link);
  }
  await pause();
  return {
    failed: failedOf(drawn, beacons),
    commit: commitOf(seed),
    anchor: bytesToHex(link),
    bytes: bytesUsed(rules, hmac(sha256, seed, utf8ToBytes(messageOf(drawn)))),
    dice: drawOf(rules, seed, drawn),
  };
}

function bytesUsed(rules: Rules, block: Uint8Array): number[] {
  const used: number[] = [];
  function* counted() {
    for (const byte of block) {
      used.push(byte);
      yield byte;
    }
  }
  rules.drawFrom(counted());
  return used;
}
