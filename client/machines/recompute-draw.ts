import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { commitOf, drawOf, failedChecks, type DrawCheck, type DrawnRound } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Rules } from "#shared/lottery/rules.ts";
import { parseRound } from "#shared/lottery/schedule.ts";

/** So many hashes at a time take about a millisecond. */
const HASHES_AT_ONCE = 240;

/** What a published seed gives when everything is computed anew; nothing of it where the seed is none. */
export interface Recomputed {
  failed: DrawCheck[];
  /** SHA-256 of the seed. */
  commit: string;
  /** Where the seed leads when it is hashed as often as the round's number says. */
  anchor: string;
  /** The first bytes of the HMAC, up to the one that makes the last die. */
  bytes: number[];
  dice: readonly number[];
}

/** What goes into the HMAC beside the seed. */
export const messageOf = ({ gameKey, round, beacon }: Pick<DrawnRound, "gameKey" | "round" | "beacon">): string =>
  `${gameKey}:${round}:${beacon}`;

/** Computes a draw from public data alone, yielding between batches so that the page can paint. */
export async function recomputeDraw(drawn: DrawnRound, breathe: () => Promise<void>): Promise<Recomputed> {
  const rules = GAME_KINDS.get(drawn.kind);
  if (!rules || !/^[0-9a-f]{64}$/.test(drawn.seed)) {
    return { failed: failedChecks(drawn), commit: "", anchor: "", bytes: [], dice: [] };
  }
  const seed = hexToBytes(drawn.seed);
  let link = seed;
  const times = parseRound(drawn.round)?.number ?? 0;
  for (let hashes = 0; hashes < times; hashes++) {
    if (hashes % HASHES_AT_ONCE === 0) await breathe();
    link = sha256(link);
  }
  await breathe();
  return {
    failed: failedChecks(drawn),
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
