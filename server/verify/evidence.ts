import { readFile, stat } from "node:fs/promises";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import type { EvidenceFile } from "#shared/log/evidence/file.ts";
import { judgeEvidence, type Judged } from "#shared/log/evidence/judge.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { sentenceOfSaid, strengthOf, type Strength } from "#shared/log/evidence/says.ts";
import { LONGEST_EVIDENCE, printable, titleOf, verdictOf, type EvidenceVerdict } from "#shared/log/evidence/verdict.ts";
import { parseUtf8 } from "#shared/log/strict.ts";

const MARK: Record<Strength, string> = {
  proven: "PROVEN  ",
  signed: "signed  ",
  reckoned: "reckoned",
  claimed: "claimed ",
  broken: "BROKEN  ",
};

/** Checks a file of evidence by itself: no server is asked. Returns what to print, and whether it convicts the house. */
export async function verifyEvidence(path: string): Promise<{ text: string; isFine: boolean }> {
  const file = readEvidence(await contentOf(path));
  if ("refused" in file) throw new Error(`${path} is refused. ${file.refused}`);
  const judged = judgeEvidence(file, QUICKNET_BEACONS);
  const verdict = verdictOf(judged);
  return {
    text: [...headOf(path, file), ...judged.flatMap(linesOf), endOf(verdict, judged)].join("\n"),
    isFine: verdict === "convicts",
  };
}

async function contentOf(path: string): Promise<string> {
  const unreadable = (error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > LONGEST_EVIDENCE) throw new Error(`${path} is refused. It is longer than any file of evidence.`);
  const content = parseUtf8(await readFile(path).catch(unreadable));
  if (content === null) throw new Error(`${path} is refused. It is no text in UTF-8.`);
  return content;
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
