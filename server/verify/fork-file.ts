import { writeDurably } from "#db/durable.ts";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import {
  EVIDENCE_FORM,
  evidenceText,
  HOW_TO_CHECK,
  type EvidenceFile,
  type EvidenceLog,
} from "#shared/log/evidence/file.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { judgeEvidence } from "#shared/log/evidence/judge.ts";
import { keysOf } from "#shared/log/evidence/keys.ts";
import { sentenceOfSaid, strengthOf } from "#shared/log/evidence/says.ts";
import { parseNote } from "#shared/log/note.ts";
import { NOTHING_SIGNED } from "#shared/lottery/beacon.ts";
import { toIso } from "#shared/time.ts";

/** The head that a log's note names. */
export const headIn = (note: string): Checkpoint => parseCheckpoint(parseNote(note)!.text)!;

/** Whether what a log shows of its keys now contradicts what is kept of them. */
export function haveOtherKeys(kept: EvidenceLog, shown: EvidenceLog): boolean {
  const [one, other] = [keysOf(kept), keysOf(shown)];
  return one !== null && other !== null && one.contradiction(headIn(kept.newest), other, headIn(shown.newest)) !== null;
}

/** A head that a log shows against the newest one that is kept, and how it is signed if not by the keys that are kept. */
export function forkOf(kept: EvidenceLog, shown: string, path: string[] | null, shownLog: EvidenceLog | null) {
  const isKnown = keysOf(kept)?.head(shown) && !(shownLog && haveOtherKeys(kept, shownLog));
  const evidence = { ours: kept.newest, shown, path, ...(!isKnown && shownLog && { shownLog }) };
  return { kind: "fork", subject: shown, evidence } as const;
}

/** A file of evidence about a log that was kept, which `npm run verify -- evidence` and the page that checks offline judge. */
export function fileAbout(
  logs: readonly EvidenceLog[],
  finding: Pick<Finding, "kind" | "subject" | "evidence">,
  { site, now }: { site: string; now: number },
): EvidenceFile {
  const { origin } = logs.at(-1)!;
  const findings = [{ origin, member: "", at: now, ...finding }];
  return { form: EVIDENCE_FORM, check: HOW_TO_CHECK, site, saved: toIso(now), logs, findings };
}

/** What such a file proves by itself. */
export const provenBy = (file: EvidenceFile): string[] =>
  judgeEvidence(file, NOTHING_SIGNED)
    .filter(({ isProven }) => isProven)
    .flatMap(({ said }) => said.filter((one) => strengthOf(one) === "proven").map(sentenceOfSaid));

export const keepEvidence = (path: string, file: EvidenceFile): Promise<void> => writeDurably(path, evidenceText(file));
