import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { isSame } from "#shared/log/strict.ts";
import { rootsFrom } from "#shared/log/tree.ts";
import { hashesOf, keysOf } from "./keys.ts";
import type { Judge } from "./known.ts";
import { said, type Said } from "./says.ts";

/** Two heads that a proof should join. */
export const judgeFork: Judge<"fork"> = ({ subject, member, evidence }, keys) => {
  const other = "shown" in evidence ? evidence.shown : evidence.theirs;
  if (member !== "" || subject !== other) return [said("broken subject")];
  return compare(keys.head(evidence.ours), keys.head(other), evidence.path);
};

/** A head for which the house showed no proof. */
export const judgeNoProof: Judge<"noProof"> = ({ subject, member, evidence: { ours, shown } }, keys) =>
  member !== "" || subject !== shown ? [said("broken subject")] : compare(keys.head(ours), keys.head(shown), null);

function compare(one: Checkpoint | null, other: Checkpoint | null, path: readonly string[] | null): Said[] {
  if (!one || !other) return [said("broken head")];
  const [older, newer] = [one, other].toSorted((a, b) => a.size - b.size) as [Checkpoint, Checkpoint];
  const { size } = newer;
  const signed = [older, newer].map((head) => said("signed head", { size: head.size }));
  if (older.size === size) {
    if (isSame(older.root, newer.root)) return [said("broken same")];
    return [said("proven two-heads", { size }), ...signed];
  }
  const roots = rootsFrom(older, size, hashesOf(path ?? []) ?? []);
  // Only hashes that lead to the larger root are that tree's own.
  const isOther = roots !== null && isSame(roots[1], newer.root) && !isSame(roots[0], older.root);
  if (isOther) return [said("proven other-beginning", { older: older.size, size }), ...signed];
  return [...signed, said("claimed asked", { from: older.size, to: size })];
}

/** A head that the key of its size did not sign: maybe one that had been replaced did. */
export const judgeSignature: Judge<"signature"> = (finding, keys, known) => {
  const { head, log } = finding.evidence;
  if (finding.member !== "" || finding.subject !== head) return [said("broken subject")];
  if (log && !known.isLogOf(finding, log)) return [said("broken log")];
  const late = keys.lateHead(head);
  return [late ? said("proven late-head", late) : said("claimed unsigned")];
};

/** Another log than the one before, which continues it or not. */
const judgeLogs =
  (claim: "claimed other-log" | "claimed restored"): Judge<"otherLog" | "restored"> =>
  ({ subject, member, evidence: { before, now } }) => {
    if (member !== "" || subject !== now.origin || before.origin === now.origin) return [said("broken subject")];
    if (!keysOf(before) || !keysOf(now)) return [said("broken log")];
    const sizes = [before, now].map(({ newest }) => parseCheckpoint(parseNote(newest)!.text)!.size);
    return [...sizes.map((size) => said("signed head", { size })), said(claim)];
  };
export const judgeOtherLog = judgeLogs("claimed other-log");
export const judgeRestored = judgeLogs("claimed restored");
