import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import type { EvidenceFile } from "./file.ts";
import { judgeEvidence, type Judged } from "./judge.ts";
import { readEvidence } from "./read.ts";

/** The longest file of evidence, in bytes. No device keeps so much. */
export const LONGEST_EVIDENCE = 64 * 1_024 * 1_024;

/** Why a longer file is refused, unread. */
export const TOO_LONG = "It is longer than any file of evidence.";

/** What a file of evidence says, and what each of its findings comes to; or why it is none. */
export type CheckedEvidence = { file: EvidenceFile; judged: readonly Judged[] } | { refused: string };

/** Checks the bytes of a file by themselves: nobody is asked. */
export function checkEvidence(bytes: Uint8Array): CheckedEvidence {
  if (bytes.length > LONGEST_EVIDENCE) return { refused: TOO_LONG };
  const content = parseUtf8(bytes);
  if (content === null) return { refused: "It is no text in UTF-8." };
  const file = readEvidence(content);
  return "refused" in file ? file : { file, judged: judgeEvidence(file, QUICKNET_BEACONS) };
}
