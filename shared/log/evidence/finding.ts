/** What contradicts itself, with all that shows it. */
export interface Finding {
  kind: FindingKind;
  /** What it is about: two findings of a kind about one thing are one. */
  subject: string;
  origin: string;
  /** Whose it is; empty for what concerns everybody. */
  member: string;
  at: number;
  evidence: unknown;
}

export const FINDING_KINDS = [
  "otherLog",
  "restored",
  "head",
  "key",
  "signature",
  "fork",
  "noProof",
  "closing",
  "otherClosing",
  "otherAnchor",
  "otherCommit",
  "seed",
  "dice",
  "lateHead",
  "receipt",
  "terms",
  "notCounted",
  "payout",
  "credit",
  "chain",
  "chainGap",
  "chainLost",
  "betLost",
  "export",
  "odds",
  "balance",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];
