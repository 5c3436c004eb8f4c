import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import type { ReadFile } from "./read-leaf.ts";
import type { FindingKind } from "#shared/log/evidence/finding.ts";
import type { Ask, ToPage } from "./messages.ts";

/** What the watcher needs of the world. */
export interface Surroundings {
  ask: Ask;
  /** Reads a file of the log. */
  read: ReadFile;
  now(): number;
  /** What checks signatures of beacons, loaded with the first one. */
  beacons(): Promise<BeaconCheck>;
  /** Does something in a random moment of the next `withinMs`. What fails is left for the next time. */
  later(withinMs: number, work: () => Promise<void>): void;
  tell(said: ToPage): void;
  /** From 0 up to 1, as nobody can know before. */
  random(): number;
}

/** Keeps a finding and says so, once. `origin`: the log that it is about, if it is not the one that is followed. */
export type Found = (
  kind: FindingKind,
  subject: string,
  evidence: unknown,
  member?: string,
  origin?: string,
) => Promise<void>;
