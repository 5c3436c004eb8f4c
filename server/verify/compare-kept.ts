import { bytesToHex } from "@noble/hashes/utils.js";
import type { Finding } from "#shared/log/check/finding.ts";
import type { EvidenceLog } from "#shared/log/evidence/file.ts";
import type { LogVerdict } from "#shared/log/read-head.ts";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { beginningOf, proofOf } from "#shared/log/tree.ts";
import { fileAbout, forkOf, haveOtherKeys, headIn, keepEvidence, provenBy } from "./fork-file.ts";
import { keepLog } from "./kept-head.ts";
import { readSubtrees, serverHash } from "./read-subtrees.ts";
import { shownLog } from "./shown-log.ts";

interface Comparing {
  /** The file that remembers the head. */
  keep: string;
  kept: EvidenceLog | null;
  site: string;
  files: LogFiles;
  now: number;
}

/** A log that was read, beside the one that was kept. */
export interface Compared {
  /** What both prove together against the house. */
  proven: readonly string[];
  /** Whether nothing speaks against it that the new one follows from the one that was kept. */
  follows: boolean;
  /** Remembers the head where all is fine. Says so, or what became of the head that was kept. */
  keep(isFine: boolean): Promise<string | null>;
}

/**
 * Compares a log that was read whole with the one that was kept. Where they contradict each other both heads are written
 * down at once: nothing that the site refuses later keeps them from it. Null where it could not be read.
 */
export async function compareKept(comparing: Comparing, verdict: LogVerdict): Promise<Compared | null> {
  const { keep, kept, site, files, now } = comparing;
  const shown = await shownLog(files, verdict, now);
  if (!shown) return null;
  const is = (id: Finding["id"]) => verdict.findings.some((one) => one.id === id);
  const contradiction = kept && (await contradictionOf(kept, shown, is, files));
  const evidence = contradiction && fileAbout(contradiction.logs, contradiction.finding, { site, now });
  if (evidence) await keepEvidence(`${keep}.fork.json`, evidence);
  const isUntold = is("kept-untold");
  return {
    proven: evidence ? provenBy(evidence) : [],
    follows: !evidence && !isUntold,
    async keep(isFine) {
      if (isFine) {
        await keepLog(keep, kept?.origin === shown.origin ? { ...shown, first: kept.first, since: kept.since } : shown);
        return `  kept   the head in ${keep}`;
      }
      if (isUntold) return `  The head in ${keep} stays. Compare it with the site itself.`;
      return evidence && `  Both heads are in ${keep}.fork.json: keep it, and show it to others.`;
    },
  };
}

/** How what is shown contradicts what was kept, as a finding for a file of evidence. Null where nothing does. */
async function contradictionOf(
  kept: EvidenceLog,
  shown: EvidenceLog,
  is: (id: Finding["id"]) => boolean,
  files: LogFiles,
) {
  const logs = kept.origin === shown.origin ? [kept] : [kept, shown];
  const another = { subject: shown.origin, evidence: { before: kept, now: shown } };
  if (is("kept-other")) return { logs, finding: { kind: "otherLog", ...another } as const };
  if (is("kept-lost")) return { logs, finding: { kind: "restored", ...another } as const };
  if (kept.origin !== shown.origin) return null;
  if (is("kept-forked") || haveOtherKeys(kept, shown)) {
    // Without the path both heads are still worth keeping.
    const path = is("kept-forked") ? await pathFrom(kept, shown, files).catch(() => null) : null;
    return { logs, finding: forkOf(kept, shown.newest, path, shown) };
  }
  const shrunk = { subject: shown.newest, evidence: { ours: kept.newest, shown: shown.newest } };
  return is("kept-shrunk") ? { logs, finding: { kind: "noProof", ...shrunk } as const } : null;
}

/** The hashes that show how the log begins now. */
async function pathFrom(kept: EvidenceLog, shown: EvidenceLog, files: LogFiles): Promise<string[]> {
  const [older, { size }] = [headIn(kept.newest).size, headIn(shown.newest)];
  const parts = older < size ? beginningOf(older, size) : [];
  return proofOf(parts, await readSubtrees(files, parts, size), serverHash).map(bytesToHex);
}
