import { EVIDENCE_FORM, evidenceText, HOW_TO_CHECK } from "#shared/log/evidence/file.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { toIso } from "#shared/time.ts";
import type { OrderReport, UncheckedReport, WatchReport } from "./messages.ts";
import { isUnjudged } from "./unjudged.ts";

export type Shown = Pick<WatchReport, "log" | "logs" | "findings" | "unchecked">;

const NOTHING_OWED: UncheckedReport = { log: null, rounds: null, bets: null, own: null };

/** What was found, without what the house owes. */
export const foundAlone = (found: Pick<Shown, "findings" | "logs">): Shown => ({
  ...found,
  log: null,
  unchecked: NOTHING_OWED,
});

/** What is there about one bet. */
export const shownOf = ({ receipt, findings, unansweredSince: since, logs }: OrderReport): Shown => {
  const bets = since === null ? null : { receipts: [receipt], since };
  return { log: null, logs, findings, unchecked: { ...NOTHING_OWED, bets } };
};

/** What was found, and what the house owes, with the keys that it is checked by. */
export const evidenceOf = (report: Shown, site: string, now: number): string =>
  evidenceText({
    form: EVIDENCE_FORM,
    check: HOW_TO_CHECK,
    site,
    saved: toIso(now),
    logs: report.logs,
    findings: [...report.findings, ...owed(report)],
  });

/** What the house has signed, and has not answered for long: whoever reads this can ask for it. */
function owed({ log, logs, findings, unchecked: { log: joining, bets, own } }: Shown): Finding[] {
  const all: Finding[] = [];
  if (joining?.heads) {
    const { heads: evidence, origin, since: at } = joining;
    all.push({ kind: "noProof", subject: evidence.shown, origin, member: "", at, evidence });
  }
  for (const receipt of bets?.receipts ?? []) {
    const { order: subject, origin, member, state, proof, tried } = receipt;
    const of = { subject, origin, member, at: tried!.since };
    if (state === "taken" && !proof) all.push({ kind: "notCounted", ...of, evidence: { receipt } });
    const by = logs.find((one) => one.origin === origin);
    if (isUnjudged(receipt) && receipt.receipt !== "" && by)
      all.push({ kind: "receipt", ...of, evidence: { shown: receipt.placed, receipt: receipt.receipt, log: by } });
  }
  // A note that did not come leads to no line that is owed.
  if (own?.promised && log) {
    const { origin, member, number, promised, since: at } = own;
    const evidence = { note: promised.note, promised, log };
    all.push({ kind: "chainGap", subject: `leaf ${number + 1}`, origin, member, at, evidence });
  }
  const isKnown = ({ kind, origin, subject }: Finding) =>
    findings.some((one) => one.kind === kind && one.origin === origin && one.subject === subject);
  return all.filter((one) => !isKnown(one));
}
