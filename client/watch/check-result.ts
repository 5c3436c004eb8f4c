import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Result } from "#shared/contract/events.ts";
import { isHex } from "#shared/log/strict.ts";
import { SECOND_MS } from "#shared/time.ts";
import type { Cosigner } from "#shared/log/cosignature.ts";
import { allowsBeacon, namedBeacon, signedAt, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import type { FindingKind } from "#shared/log/evidence/finding.ts";
import { seedAt, type KnownSeed } from "#shared/lottery/seed-at.ts";

/** What the device knew before the result came. */
export interface KnownBefore {
  /** The round's commit as it was shown while the round took bets. Null if it was not. */
  commit: string | null;
  /** The seed of the same day that was checked last, or the anchor. */
  from: KnownSeed;
  /** The closing as it was told; null if it was not. */
  closing: { number: number; size: number } | null;
}

export type ResultFault = "seed" | "commit" | "chain" | "terms" | "beacon" | "dice" | "head";

export const FOUND_IN: Record<ResultFault, FindingKind> = {
  seed: "seed",
  chain: "seed",
  commit: "otherCommit",
  terms: "otherCommit",
  dice: "dice",
  beacon: "dice",
  head: "lateHead",
};

/** A draw, as it was told or logged. */
type Drawn = Pick<Result, "key" | "expect" | "kind" | "opencode" | "seed" | "head"> &
  Pick<Result, "rule" | "beacon" | "beacon_signature">;

/** A round's beacon. */
export interface CheckedBeacon {
  /** Whether the chain signed it. */
  isGenuine: boolean;
  /** When it was signed, in ms: nobody knew it before. */
  at: number;
}

/** The beacon of a round. Null where its rule names none of a known chain. */
export function checkBeacon(rule: string, signature: string, { chains, isSigned }: BeaconCheck): CheckedBeacon | null {
  const named = namedBeacon(rule);
  const chain = named && chains.find(({ hash }) => hash === named.chain);
  return chain ? { isGenuine: isSigned(named, signature), at: signedAt(chain, named.round) } : null;
}

/** Whether somebody else had signed a closing before that moment. Signatures name whole seconds, rounded down. */
export const isSignedBefore = (by: readonly Cosigner[], ms: number): boolean =>
  by.some(({ at }) => at + SECOND_MS <= ms);

/** Whether the rules of this kind of game are known here. A page that is older than the game cannot check it. */
export const isKindKnown = (kind: string): boolean => GAME_KINDS.has(kind);

/** What a result contradicts; nothing means that it is as it must be. */
export function resultFaults(result: Drawn, { commit, from, closing }: KnownBefore): ResultFault[] {
  const number = parseRound(result.expect)?.number;
  if (number === undefined || !isHex(result.seed)) return ["seed"];
  const seed = hexToBytes(result.seed);
  const faults: ResultFault[] = [];
  if (commit !== null && commitOf(seed) !== commit) faults.push("commit");
  if (!isInChain({ number, seed: result.seed }, from)) faults.push("chain");
  const { key: gameKey, expect: round, rule, beacon, beacon_signature: signature } = result;
  // The chain's signature itself is checked beside this, by code that only such a round needs.
  if (!allowsBeacon({ rule, beacon, signature })) faults.push("beacon");
  const place = { gameKey, round, rule, beacon };
  if (drawOf(GAME_KINDS.get(result.kind)!, seed, place).join() !== result.opencode.join()) faults.push("dice");
  if (closing && !isTold(result.head, closing)) faults.push("head");
  return faults;
}

/** The later of two seeds leads to the earlier one. */
function isInChain(one: KnownSeed, other: KnownSeed): boolean {
  const [earlier, later] = one.number < other.number ? [one, other] : [other, one];
  return bytesToHex(seedAt(later, earlier.number)) === earlier.seed;
}

/** The result names a head that holds the closing, and none after the one that was told. */
const isTold = (head: number | null, { number, size }: { number: number; size: number }): boolean =>
  head !== null && head > number && head <= size;
