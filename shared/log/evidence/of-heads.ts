import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { isSame } from "#shared/log/strict.ts";
import { isOtherBeginning } from "#shared/log/tree.ts";
import { hashesOf, keysOf } from "./keys.ts";
import type { Judge } from "./known.ts";
import { said, strengthOf, type Said, type Strength } from "./says.ts";

/** Two heads that a proof should join. Where other keys sign the second one, it comes with what the log shows of them. */
export const judgeFork: Judge<"fork"> = ({ subject, member, evidence }, keys) => {
  const { ours, path, shownLog } = evidence;
  const other = "shown" in evidence ? evidence.shown : evidence.theirs;
  if (member !== "" || subject !== other) return [said("broken subject")];
  const shown = shownLog === undefined ? keys : shownLog.origin === keys.origin ? keysOf(shownLog) : null;
  if (!shown) return [said("broken log")];
  const [one, two] = [keys.head(ours), shown.head(other)];
  if (!one || !two) return [said("broken head")];
  const contradiction = shown === keys ? null : keys.contradiction(one, shown, two);
  const compared = compare(one, two, path);
  if (!contradiction) return compared;
  const { kind, ...facts } = contradiction;
  return [said(`proven ${kind}`, facts), ...compared.filter((finding) => HOLDS.has(strengthOf(finding)))];
};

/** What stands beside another contradiction. */
const HOLDS: ReadonlySet<Strength> = new Set(["proven", "signed"]);

/** A head for which the house showed no proof. */
export const judgeNoProof: Judge<"noProof"> = ({ subject, member, evidence: { ours, shown } }, keys) => {
  const [one, other] = [keys.head(ours), keys.head(shown)];
  if (member !== "" || subject !== shown) return [said("broken subject")];
  return one && other ? compare(one, other, null) : [said("broken head")];
};

function compare(one: Checkpoint, other: Checkpoint, path: readonly string[] | null): Said[] {
  const [older, newer] = [one, other].toSorted((a, b) => a.size - b.size) as [Checkpoint, Checkpoint];
  const { size } = newer;
  const signed = [older, newer].map((head) => said("signed head", { size: head.size }));
  if (older.size === size) {
    if (isSame(older.root, newer.root)) return [said("broken same")];
    return [said("proven two-heads", { size }), ...signed];
  }
  if (isOtherBeginning(older, newer, hashesOf(path ?? []) ?? []))
    return [said("proven other-beginning", { older: older.size, size }), ...signed];
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
