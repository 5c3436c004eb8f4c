import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { HOUR_MS, SECOND_MS } from "#shared/time.ts";
import type { Timetable } from "./schedule.ts";

/**
 * The public beacon that rounds may mix into their draws. drand signs one number every few seconds, and nobody can know a
 * signature before its time. A round's rule names the first one after its bets are closed.
 */
export interface DrandChain {
  /** The chain's own name: a hash over all that is below. */
  hash: string;
  publicKey: string;
  /** When round 1 is signed. */
  genesisS: number;
  periodS: number;
}

/** drand's chain `quicknet`, scheme `bls-unchained-g1-rfc9380`. Its key never changes. */
export const QUICKNET: DrandChain = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesisS: 1_692_803_367,
  periodS: 3,
};

/** The rule, and the mode, under which nothing public is mixed into a draw. */
export const NO_BEACON = "none";

/** The mode of rounds that take their beacon from a chain. */
export const drandMode = ({ hash }: Pick<DrandChain, "hash">): string => `drand:${hash}`;

/** The chain of a mode; undefined for `none`, and for a chain that is not among `chains`. */
export const chainOfMode = (mode: string, chains: readonly DrandChain[]): DrandChain | undefined =>
  chains.find((chain) => drandMode(chain) === mode);

/** When a round of the chain is signed, in ms. */
export const signedAt = (chain: DrandChain, round: number): number =>
  (chain.genesisS + (round - 1) * chain.periodS) * SECOND_MS;

/** The newest round that is signed at that moment; 0 before the first. */
export const newestAt = (chain: DrandChain, ms: number): number =>
  Math.max(0, Math.floor((ms / SECOND_MS - chain.genesisS) / chain.periodS) + 1);

/** A beacon is signed at least this long after betting closed, so that a clock that is a bit wrong helps nobody. */
export const AFTER_CLOSE_MS = 3_000;

/** A round with a beacon stops taking bets at least this long before its draw: the beacon has to be signed and to arrive. */
const CLOSE_S = 8;

/** The timetable of a round under a mode. */
export const timetableUnder = (mode: string, { periodS, closeS }: Timetable): Timetable => ({
  periodS,
  closeS: mode === NO_BEACON ? closeS : Math.max(closeS, CLOSE_S),
});

/** Whether a round with a beacon closed long enough before its draw. */
export const closesEnough = ({ closes, due }: { closes: number; due: number }): boolean =>
  due - closes >= CLOSE_S * SECOND_MS;

/** The beacon of a round that closes at that moment: the first one that is signed long enough after it. */
export const beaconAfter = (chain: DrandChain, closesAt: number): number =>
  newestAt(chain, closesAt + AFTER_CLOSE_MS - 1) + 1;

/** The rule of a round that closes at that moment. */
export const drandRule = (chain: DrandChain, closesAt: number): string =>
  ruleOf({ chain: chain.hash, round: beaconAfter(chain, closesAt) });

/** Which beacon a rule names. */
export interface NamedBeacon {
  /** The chain's hash. */
  chain: string;
  round: number;
}

export const ruleOf = ({ chain, round }: NamedBeacon): string => `${drandMode({ hash: chain })}:${round}`;

/** The beacon that a rule names; null for `none`, and for what is no rule. */
export function namedBeacon(rule: string): NamedBeacon | null {
  const [, chain, round] = /^drand:([0-9a-f]{64}):([1-9][0-9]{0,14})$/.exec(rule) ?? [];
  return chain && round ? { chain, round: Number(round) } : null;
}

/** A round's beacon rule, and the beacon and its signature that stand beside it. */
export interface Beacon {
  rule: string;
  /** The randomness that is mixed into the draw. Empty under `none`, and until the draw. */
  beacon: string;
  /** The chain's signature, from which the randomness is made. */
  signature: string;
}

/** The randomness that a signature gives. */
export const randomnessOf = (signature: string): string => bytesToHex(sha256(hexToBytes(signature)));

/**
 * Whether a round may be drawn with this beacon, but for the signature itself, which `beacon-signature.ts` checks. A rule
 * that this code does not know allows none, not even an empty one.
 */
export function allowsBeacon({ rule, beacon, signature }: Beacon): boolean {
  if (rule === NO_BEACON) return beacon === "" && signature === "";
  return namedBeacon(rule) !== null && isSignature(signature) && beacon === randomnessOf(signature);
}

/** Whether it looks like a signature: a compressed point. */
export const isSignature = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{96}$/.test(text);

/** What is mixed into the draw. Under `none`, and under what is no rule, that is nothing, whatever stands beside it. */
export const mixedIn = ({ rule, beacon }: Pick<Beacon, "rule" | "beacon">): string => (namedBeacon(rule) ? beacon : "");

/** Stakes go back only where the beacon lies further ahead: a clock was wrong as the round opened. */
const REFUND_AHEAD_MS = HOUR_MS;

/** Whether a rule names a beacon so far ahead that nobody can know it for long, and stakes may go back. */
export function isTooFar(rule: string, chains: readonly DrandChain[], now: number): boolean {
  const named = namedBeacon(rule);
  const chain = named && chains.find(({ hash }) => hash === named.chain);
  return chain !== null && chain !== undefined && signedAt(chain, named!.round) > now + REFUND_AHEAD_MS;
}

/** How beacons are checked. It brings a curve library along, so it is loaded only where a beacon is in play. */
export interface BeaconCheck {
  /** The chains that are known. */
  chains: readonly DrandChain[];
  /** Whether a known chain signed the round that is named. */
  isSigned(named: NamedBeacon, signature: string): boolean;
}

/** Used where no beacon can be checked, so that none is taken for genuine. */
export const NOTHING_SIGNED: BeaconCheck = { chains: [], isSigned: () => false };

/** Whether a rule allows a beacon, and its chain signed that. Whether it is the right rule, only the close tells. */
export function isBeaconSigned(drawn: Beacon, { isSigned }: BeaconCheck): boolean {
  const named = namedBeacon(drawn.rule);
  return allowsBeacon(drawn) && (named === null || isSigned(named, drawn.signature));
}

/** A beacon beside its round's times. */
export interface TimedBeacon extends Beacon {
  closes: number;
  due: number;
}

/** Whether a beacon is what its rule allows, and the rule names the first one long enough after the close. */
export const fitsRule = (drawn: TimedBeacon, chains: readonly DrandChain[]): boolean =>
  allowsBeacon(drawn) && (namedBeacon(drawn.rule) === null || (namesFirst(drawn, chains) && closesEnough(drawn)));

/**
 * Whether a round was drawn with the beacon that it had to be: of a chain that is known, the first one long enough after
 * the close, and signed.
 */
export function isBeaconGenuine(drawn: TimedBeacon, { chains, isSigned }: BeaconCheck): boolean {
  const named = namedBeacon(drawn.rule);
  return fitsRule(drawn, chains) && (named === null || isSigned(named, drawn.signature));
}

/** Whether a rule is `none`, or names the first beacon long enough after the close, of a chain that is known. */
export const namesFirst = (
  { rule, closes }: Pick<TimedBeacon, "rule" | "closes">,
  chains: readonly DrandChain[],
): boolean => rule === NO_BEACON || chains.some((chain) => drandRule(chain, closes) === rule);

/** From which round on a game's rounds follow another mode, by the round's ordinal. */
export interface BeaconChange {
  from: number;
  mode: string;
}

/** The mode of a round. Changes stand in the order in which they were announced. */
export const modeAt = (changes: readonly BeaconChange[], ordinal: number): string =>
  changes.findLast(({ from }) => from <= ordinal)?.mode ?? NO_BEACON;

/** The rule of a round under a mode, and undefined for a chain that is not among `chains`. */
export function ruleUnder(mode: string, closesAt: number, chains: readonly DrandChain[]): string | undefined {
  if (mode === NO_BEACON) return NO_BEACON;
  const chain = chainOfMode(mode, chains);
  return chain && drandRule(chain, closesAt);
}
