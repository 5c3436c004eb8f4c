import type { Finding, FindingKind } from "#shared/log/evidence/finding.ts";
import type { PlacedBet } from "./check-bet.ts";
import type { KeptReceipt } from "./kept.ts";

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

const OF_BETS: ReadonlySet<FindingKind> = new Set(["receipt", "terms", "notCounted", "payout", "credit", "betLost"]);

/** A bet, by the log that took it: a house that counts on from a backup gives its name to another one. */
export type BetName = Pick<KeptReceipt, "origin" | "order" | "round">;

export const nameOf = ({ origin, order, round }: BetName): BetName => ({ origin, order, round });

/** The bet that a finding is about; null for what is about none. */
export function betIn({
  kind,
  origin,
  subject,
  evidence,
}: Pick<Finding, "kind" | "origin" | "subject" | "evidence">): BetName | null {
  if (!OF_BETS.has(kind)) return null;
  const { receipt, shown } = evidence as { receipt: KeptReceipt | string; shown?: PlacedBet };
  if (typeof receipt === "object") return receipt;
  return shown ? { origin, order: subject, round: shown.round } : null;
}

export const isAbout = (bet: BetName, finding: Finding): boolean => {
  const own = betIn(finding);
  return own !== null && own.origin === bet.origin && own.order === bet.order;
};
