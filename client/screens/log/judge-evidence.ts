import { utf8ToBytes } from "@noble/hashes/utils.js";
import { checkEvidence } from "#shared/log/evidence/check.ts";
import { verdictOf, type EvidenceVerdict } from "#shared/log/evidence/verdict.ts";

/** What a file of evidence comes to. */
export function verdictOfText(content: string): EvidenceVerdict {
  const checked = checkEvidence(utf8ToBytes(content));
  return "refused" in checked ? "broken" : verdictOf(checked.judged);
}
