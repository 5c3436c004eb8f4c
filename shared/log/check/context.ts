import type { Hash } from "#shared/merkle.ts";
import type { Facts, NoteId, ProblemId } from "./finding.ts";
import type { HeadTimes } from "./head-times.ts";

/** A beacon as a draw shows it, with its round's rule and times. */
export interface DrawnBeacon {
  rule: string;
  beacon: string;
  signature: string;
  closes: number;
  due: number;
}

/** A rule, and the signature that is shown for it. */
export type SignedRule = Pick<DrawnBeacon, "rule" | "signature">;

/** Checks beacons of a drand chain. It is handed in: its arithmetic is large, and needed only where a rule names one. */
export interface BeaconCheck {
  /** Whether the rule names the first beacon long enough after the close, of a chain that is known. */
  namesFirst(rule: string, closes: number): boolean;
  /** Whether the rule allows the beacon, and names it by its times. Its signature is checked apart. */
  fits(drawn: DrawnBeacon): boolean;
  /** Of each, whether the chain that its rule names signed the round that it names. */
  areSigned(beacons: readonly SignedRule[]): boolean[];
  /** When the beacon that the rule names is signed, in ms; null for a chain that is not known. */
  signedAt(rule: string): number | null;
}

/** What all parts of a check share. */
export interface Context {
  problem(id: ProblemId, facts: Facts): void;
  note(id: NoteId, facts: Facts): void;
  /** Whether this seed, in hex, was shown before: as an anchor or by a draw. It counts as shown afterwards. */
  isShownAgain(seed: string): boolean;
  heads: HeadTimes;
  hash: Hash;
  beacons: BeaconCheck | null;
  /** Has the signature of a draw's beacon checked, together with others. */
  awaitSignature(beacon: SignedRule, subject: Record<"game" | "round", string>): void;
}
