import { readFile, stat } from "node:fs/promises";
import { checkEvidence, LONGEST_EVIDENCE, TOO_LONG, type CheckedEvidence } from "#shared/log/evidence/check.ts";
import type { EvidenceFile } from "#shared/log/evidence/file.ts";
import type { Judged } from "#shared/log/evidence/judge.ts";
import { sentenceOfSaid, strengthOf, type Strength } from "#shared/log/evidence/says.ts";
import { printable, titleOf, verdictOf, type EvidenceVerdict } from "#shared/log/evidence/verdict.ts";

const MARK: Record<Strength, string> = {
  proven: "PROVEN  ",
  signed: "signed  ",
  reckoned: "reckoned",
  claimed: "claimed ",
  broken: "BROKEN  ",
};

/** Checks a file of evidence by itself: no server is asked. Returns what to print, and whether it convicts the house. */
export async function verifyEvidence(path: string): Promise<{ text: string; isFine: boolean }> {
  const checked = await checkedFile(path);
  if ("refused" in checked) throw new Error(`${path} is refused. ${checked.refused}`);
  const { file, judged } = checked;
  const verdict = verdictOf(judged);
  return {
    text: [...headOf(path, file), ...judged.flatMap(linesOf), endOf(verdict, judged)].join("\n"),
    isFine: verdict === "convicts",
  };
}

/** A longer file is refused without being read. */
async function checkedFile(path: string): Promise<CheckedEvidence> {
  const unreadable = (error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  };
  const { size } = await stat(path).catch(unreadable);
  return size > LONGEST_EVIDENCE ? { refused: TOO_LONG } : checkEvidence(await readFile(path).catch(unreadable));
}

const headOf = (path: string, { site, saved, logs }: EvidenceFile): string[] => [
  `${path}: evidence that an app of ${printable(site)} is said to have saved at ${printable(saved)}`,
  ...logs.map(({ origin }) => `  log      ${printable(origin)}`),
];

const linesOf = ({ finding, said }: Judged): string[] => [
  titleOf(finding),
  ...said.map((one) => `  ${MARK[strengthOf(one)]} ${printable(sentenceOfSaid(one))}`),
];

function endOf(verdict: EvidenceVerdict, judged: readonly Judged[]): string {
  if (verdict === "broken")
    return "  NO     a part of this file does not hold: it was changed, or is not what an app saves";
  if (verdict === "claims") return "  NO     this file alone convicts nobody: what it claims, nobody signed";
  const proven = judged.filter(({ isProven }) => isProven).length;
  return `  yes    ${proven} of ${judged.length} findings convict the house by what it signed, without anybody's word`;
}
