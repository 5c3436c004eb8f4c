import type { Cosigner } from "#shared/log/cosignature.ts";

/** Since when something could not be checked, and when that was tried last. */
export interface Tried {
  since: number;
  at: number;
}

/** A head that could not be joined with what is kept, and since when. */
export interface KeptUnchecked extends Tried {
  origin: string;
  /** The first such head: once one as large is joined, this one is over. */
  size: number;
  /** The head that is kept, and the one that it could not be joined with, where the log's key signed both. */
  heads: { ours: string; shown: string } | null;
}

/**
 * Whether a win reached the balance. `waits`: not asked yet. `missed`: it was not there at first, and is looked for again.
 * Nothing to pay has no such state.
 */
export type CreditState = "waits" | "missed" | "lacks" | "there";

/** Who signs the heads of a log beside its house. */
export interface KeptWitnesses {
  /** All that the house ever named, as vkeys. */
  keys: string[];
  /** How many have to sign, as the house says now, and the most that it ever said. */
  needed: number;
  mostNeeded: number;
  /** The newest head that some of them signed, as a note. Null before the first. */
  head: string | null;
  size: number;
  /** Each who ever signed, by the newest head of theirs. */
  by: KeptCosigner[];
}

/** Who signed: by which of the keys, how large a head, and when that was made once it is known. */
export interface KeptCosigner extends Cosigner {
  key?: string;
  size?: number;
  time?: number;
}
