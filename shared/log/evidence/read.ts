import { EVIDENCE_FORM, evidenceText, HOW_TO_CHECK, type EvidenceFile } from "./file.ts";
import { FINDING_KINDS, type Finding } from "./finding.ts";
import { FORMS, keptLog } from "./forms.ts";
import { anything, exactly, listOf, number, onlyFields, text } from "./shape.ts";

const finding = onlyFields({
  kind: text,
  subject: text,
  origin: text,
  member: text,
  at: number,
  evidence: anything,
});
const isFile = onlyFields({
  form: exactly(EVIDENCE_FORM),
  check: exactly(HOW_TO_CHECK),
  site: text,
  saved: text,
  logs: listOf(keptLog),
  findings: listOf(finding),
});
const isKind = (kind: string): kind is Finding["kind"] => (FINDING_KINDS as readonly string[]).includes(kind);

/** A file of evidence in the one spelling that the app writes, or why it is none. */
export function readEvidence(content: string): EvidenceFile | { refused: string } {
  const value = jsonIn(content);
  if (value === undefined) return { refused: "It is no JSON: it may have been cut." };
  const { form } = (value ?? {}) as { form?: unknown };
  if (form !== EVIDENCE_FORM)
    return { refused: "It is no file of evidence: the app names that “trio-evidence.json” as it saves it." };
  if (!isFile(value)) return { refused: "It has other fields than a file of evidence." };
  const file = value as unknown as EvidenceFile;
  if (evidenceText(file) !== content)
    return { refused: "It is not spelt as the app saves it: somebody changed it, or a program did on its way." };
  const origins = new Set(file.logs.map(({ origin }) => origin));
  if (origins.size < file.logs.length) return { refused: "It has one log twice." };
  for (const [i, { kind, evidence }] of file.findings.entries()) {
    if (!isKind(kind)) return { refused: `Its finding ${i + 1} is of a kind that this program does not know.` };
    if (!FORMS[kind](evidence)) return { refused: `Its finding ${i + 1} has not what belongs to a finding “${kind}”.` };
  }
  return file;
}

function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}
