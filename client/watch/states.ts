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
