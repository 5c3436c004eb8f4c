import { toIso } from "#shared/time.ts";
import { isTime } from "#shared/log/strict.ts";
import type { Finding } from "./finding.ts";
import type { Judged } from "./judge.ts";
import { strengthOf } from "./says.ts";

/** What a whole file comes to: it convicts the house, it convicts nobody, or a part of it does not hold. */
export type EvidenceVerdict = "convicts" | "claims" | "broken";

export function verdictOf(judged: readonly Judged[]): EvidenceVerdict {
  if (judged.some(({ said }) => said.some((one) => strengthOf(one) === "broken"))) return "broken";
  return judged.some(({ isProven }) => isProven) ? "convicts" : "claims";
}

/** Whoever wrote a file must not write to the terminal, or turn the letters of a page around. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, "?");

/** What a finding says that it is about. */
export function titleOf({ kind, subject, member, at }: Finding): string {
  // The subject of two heads is one of them, which has many lines.
  const about = subject.includes("\n") ? "" : ` ${printable(subject)}`;
  const whose = member === "" ? "" : `, of ${printable(member)}`;
  const when = isTime(at) ? toIso(at) : "?";
  return `${kind}${about}${whose}, said to be found at ${when}`;
}
