import type { FindingKind } from "#shared/log/evidence/finding.ts";

/** What is seen by what the house answers or pushes, and not by a head that it signed. */
export const OF_ANSWERS: ReadonlySet<FindingKind> = new Set([
  "otherAnchor",
  "otherCommit",
  "seed",
  "dice",
  "lateHead",
  "terms",
  "notCounted",
  "payout",
  "credit",
  "chain",
  "chainGap",
  "chainLost",
  "betLost",
  "balance",
]);
