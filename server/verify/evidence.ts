import { readFile, stat } from "node:fs/promises";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import type { EvidenceFile } from "#shared/log/evidence/file.ts";
import { judgeEvidence, type Judged } from "#shared/log/evidence/judge.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { sentenceOfSaid, strengthOf, type Strength } from "#shared/log/evidence/says.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { toIso } from "#shared/time.ts";

/** No device keeps so much. */
const LONGEST = 64 * 1_024 * 1_024;

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
  const proven = judged.filter(({ isProven }) => isProven).length;
  const isBroken = judged.some(({ said }) => said.some((one) => strengthOf(one) === "broken"));
  return {
    text: [...headOf(path, file), ...judged.flatMap(linesOf), endOf(proven, judged.length, isBroken)].join("\n"),
    isFine: proven > 0 && !isBroken,
  };
}

async function contentOf(path: string): Promise<string> {
  const unreadable = (error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > LONGEST) throw new Error(`${path} is refused. It is longer than any file of evidence.`);
  const content = parseUtf8(await readFile(path).catch(unreadable));
  if (content === null) throw new Error(`${path} is refused. It is no text in UTF-8.`);
  return content;
}

const headOf = (path: string, { site, saved, logs }: EvidenceFile): string[] => [
  `${path}: evidence that an app of ${printable(site)} is said to have saved at ${printable(saved)}`,
  ...logs.map(({ origin }) => `  log      ${printable(origin)}`),
];

function linesOf({ finding: { kind, subject, member, at }, said }: Judged): string[] {
  // The subject of two heads is one of them, which has many lines.
  const about = subject.includes("\n") ? "" : ` ${printable(subject)}`;
  const whose = member === "" ? "" : `, of ${printable(member)}`;
  const when = Number.isSafeInteger(at) && Math.abs(at) < LAST_MS ? toIso(at) : "?";
  return [
    `${kind}${about}${whose}, said to be found at ${when}`,
    ...said.map((one) => `  ${MARK[strengthOf(one)]} ${printable(sentenceOfSaid(one))}`),
  ];
}

/** The last moment that a date can name. */
const LAST_MS = 8_640_000_000_000_000;

/** Whoever wrote the file must not write to the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, "?");

function endOf(proven: number, all: number, isBroken: boolean): string {
  if (isBroken) return "  NO     a part of this file does not hold: it was changed, or is not what an app saves";
  if (proven === 0) return "  NO     this file alone convicts nobody: what it claims, nobody signed";
  return `  yes    ${proven} of ${all} findings convict the house by what it signed, without anybody's word`;
}
