import type { KeptLog } from "#client/watch/kept.ts";
import type { Finding, FindingKind } from "#shared/log/evidence/finding.ts";

/** Which sentence says a finding. What differs only for a verifier is one to the reader. */
export const FOUND_WORDS = {
  otherLog: "otherLog",
  restored: "restored",
  head: "signature",
  key: "signature",
  signature: "signature",
  fork: "fork",
  noProof: "fork",
  closing: "closing",
  otherClosing: "closing",
  lateHead: "closing",
  otherAnchor: "draw",
  otherCommit: "draw",
  seed: "draw",
  dice: "draw",
  receipt: "receipt",
  terms: "terms",
  notCounted: "notCounted",
  payout: "payout",
  credit: "credit",
  chain: "chain",
  chainGap: "chainGap",
  chainLost: "chainLost",
  betLost: "betLost",
  export: "export",
  odds: "odds",
  balance: "balance",
} as const satisfies Record<FindingKind, string>;

/** What the house says of itself, and what it lost by that: it contradicts nothing. */
const ANNOUNCED: ReadonlySet<FindingKind> = new Set(["restored", "chainLost", "betLost"]);
export const isAnnounced = ({ kind }: { kind: FindingKind }): boolean => ANNOUNCED.has(kind);

/** Whether a finding takes nothing from what was checked: after a restore that lost something, nothing is green. */
export const takesNothing = ({ kind, evidence }: Pick<Finding, "kind" | "evidence">): boolean =>
  kind === "restored" && !endsEarlier(evidence as { before: KeptLog; now: KeptLog });

/** Whether the log before ends, by the new one's word, with an older head than this device had seen. */
const endsEarlier = ({ before, now }: { before: KeptLog; now: KeptLog }): boolean =>
  (now.restores ?? []).some(({ old }) => {
    const [origin, size] = old.split("\n");
    return origin === before.origin && Number(size) < Number(before.newest.split("\n")[1]);
  });
