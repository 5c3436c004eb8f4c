import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import type { EvidenceFile } from "./file.ts";
import type { Finding, FindingKind } from "./finding.ts";
import { Known, type Judge } from "./known.ts";
import { judgeBetLost, judgeNotCounted, judgeOdds, judgeOtherClosing, judgeReceipt, judgeTerms } from "./of-bets.ts";
import { judgeCredit, judgePayout } from "./of-payouts.ts";
import { judgeFork, judgeNoProof, judgeOtherLog, judgeRestored, judgeSignature } from "./of-heads.ts";
import { judgeBalance, judgeChain, judgeChainGap, judgeChainLost } from "./of-members.ts";
import { judgeResult } from "./of-rounds.ts";
import { said, strengthOf, type Said } from "./says.ts";

/** What one finding comes to. */
export interface Judged {
  finding: Finding;
  said: readonly Said[];
  /** Whether signatures in the file alone convict the house, and nothing in the finding is broken. */
  isProven: boolean;
}

const JUDGES: { [K in FindingKind]: Judge<K> } = {
  otherLog: judgeOtherLog,
  restored: judgeRestored,
  head: () => [said("claimed unsigned")],
  key: () => [said("claimed unsigned")],
  signature: judgeSignature,
  fork: judgeFork,
  noProof: judgeNoProof,
  closing: () => [said("claimed closing")],
  otherClosing: judgeOtherClosing,
  otherAnchor: () => [said("claimed anchor")],
  otherCommit: judgeResult,
  seed: judgeResult,
  dice: judgeResult,
  lateHead: judgeResult,
  receipt: judgeReceipt,
  terms: judgeTerms,
  notCounted: judgeNotCounted,
  payout: judgePayout,
  credit: judgeCredit,
  chain: judgeChain,
  chainGap: judgeChainGap,
  chainLost: judgeChainLost,
  betLost: judgeBetLost,
  export: ({ evidence: { hash, faults } }) => [said("claimed export", { hash, faults: faults.join(", ") })],
  odds: judgeOdds,
  balance: judgeBalance,
};

/** What is proven about the house before any log was met, or without its keys: nothing. */
const WITHOUT_KEYS: ReadonlySet<FindingKind> = new Set(["head", "key", "closing", "otherAnchor", "export", "odds"]);

/** Checks each finding of a file by what stands in the file alone. */
export function judgeEvidence(file: EvidenceFile, beacons: BeaconCheck): Judged[] {
  const known = new Known(file, beacons);
  return file.findings.map((finding) => {
    const said = judge(finding, known);
    const has = (strength: string) => said.some((one) => strengthOf(one) === strength);
    return { finding, said, isProven: has("proven") && !has("broken") };
  });
}

function judge(finding: Finding, known: Known): Said[] {
  const keys = known.keys(finding.origin);
  if (!keys && !WITHOUT_KEYS.has(finding.kind)) return [said("claimed keys")];
  const judges = JUDGES[finding.kind] as Judge<FindingKind>;
  return judges(finding as Parameters<typeof judges>[0], keys!, known);
}
