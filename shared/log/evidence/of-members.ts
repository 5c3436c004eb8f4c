import { hexToBytes } from "@noble/hashes/utils.js";
import { toDecimal } from "#shared/money.ts";
import { toIso } from "#shared/time.ts";
import { parseBalanceNote, parseChainNote, type BalanceNote, type ChainEndNote } from "#shared/log/chain-note.ts";
import { leafText } from "#shared/log/leaf.ts";
import { hashOfContent, parseChained, type ChainedKind, type Content } from "#shared/log/salted.ts";
import { isHex } from "#shared/log/strict.ts";
import type { EvidenceOf } from "./forms.ts";
import { isIn, type LogKeys } from "./keys.ts";
import type { Judge } from "./known.ts";
import { numberOf } from "./of-bets.ts";
import { said, type Said } from "./says.ts";

type KeptOwn = EvidenceOf<"chainLost">["lost"][number];

/** Two notes may be answered in another order than they were made in. */
const SLACK_MS = 10_000;

const endIn = (note: string, keys: LogKeys): ChainEndNote | null => keys.said((key) => parseChainNote(note, key));
const balanceIn = (note: string, keys: LogKeys): BalanceNote | null => keys.said((key) => parseBalanceNote(note, key));

/** A line about the member that stands in a signed head, just as a device kept it. */
function readOwn(own: KeptOwn, member: string, keys: LogKeys): Content<ChainedKind> | null {
  const { content, salt, hash, told } = own;
  const line = parseChained(content);
  if (!line || !told || own.member !== member || own.origin !== keys.origin || !isHex(salt)) return null;
  if (line.member !== numberOf(member) || line.number !== own.number) return null;
  const head = keys.head(told.head);
  if (!head || hashOfContent(hexToBytes(salt), line) !== hash) return null;
  return isIn(head, leafText({ kind: line.kind, hash }), told.index, told.path) ? line : null;
}

const signedLines = ({ number, time }: ChainEndNote): Said => said("signed lines", { number, time: toIso(time) });

/** What the house signed about the member against what it said before. */
export const judgeChain: Judge<"chain"> = ({ evidence, ...finding }, keys, known) => {
  const { log, note, kept } = evidence;
  const { subject, member } = finding;
  if (!known.isLogOf({ ...finding, evidence }, log)) return [said("broken log")];
  const end = note === undefined ? null : endIn(note, keys);
  const signed = end?.member === numberOf(member) ? [signedLines(end)] : [];
  if (!kept?.told) return [...signed, said("claimed line")];
  const line = readOwn(kept, member, keys);
  if (!line) return [said("broken line")];
  const held = said("signed line", { number: line.number, content: kept.content });
  // What was shown of a pair is not signed.
  if (note === undefined) return [held, said("claimed line")];
  if (!end || end.member !== numberOf(member) || end.number !== line.number) return [said("broken note")];
  if (subject !== `leaf ${line.number}`) return [said("broken subject")];
  if (end.hash === kept.hash) return [said("broken same")];
  return [said("proven other-line", { number: line.number, one: kept.hash, other: end.hash }), held, ...signed];
};

/** Two signed ends of one chain, of which the later one is the shorter. */
export const judgeChainGap: Judge<"chainGap"> = ({ evidence, ...finding }, keys, known) => {
  const { log, note, promised, kept } = evidence;
  const { subject, member } = finding;
  if (!known.isLogOf({ ...finding, evidence }, log)) return [said("broken log")];
  const before = promised ?? kept;
  const now = endIn(note, keys);
  if (now?.member !== numberOf(member) || !before) return [said("broken note")];
  const missing = /^leaf (\d+)$/.exec(subject);
  if (missing) return [signedLines(now), said("claimed gap", { number: missing[1]! })];
  const one = endIn(before.note, keys);
  if (subject !== `chain ${before.number}`) return [said("broken subject")];
  // What a device knew without a note of it, it cannot show.
  if (!one || one.number !== before.number) return [signedLines(now), said("claimed gap", { number: now.number + 1 })];
  if (one.member !== now.member) return [said("broken member")];
  if (now.number >= one.number || now.time <= one.time + SLACK_MS) return [said("broken same")];
  const facts = { before: toIso(one.time), one: one.number, time: toIso(now.time), other: now.number };
  return [said("proven fewer-lines", facts), signedLines(one), signedLines(now)];
};

/** Lines of an earlier log that the one after a loss no longer has. */
export const judgeChainLost: Judge<"chainLost"> = ({ evidence, ...finding }, keys, known) => {
  const { log, lost } = evidence;
  if (!known.isLogOf({ ...finding, evidence }, log)) return [said("broken log")];
  const held = lost.flatMap((own) => {
    const older = known.keys(own.origin);
    const line = older && readOwn(own, finding.member, older);
    return line ? [said("signed line", { number: line.number, content: own.content })] : [];
  });
  const end = endIn(evidence.note, keys);
  if (end?.member !== numberOf(finding.member)) return [said("broken note")];
  return [...held, signedLines(end), said("claimed lost", { count: lost.length })];
};

const signedBalance = ({ version, balance }: BalanceNote): Said =>
  said("signed balance", { version, balance: toDecimal(balance) });

/** Balances that the house signed in two ways, or shows otherwise. */
export const judgeBalance: Judge<"balance"> = ({ evidence, ...finding }, keys, known) => {
  const { subject, member } = finding;
  const isOwn = (note: BalanceNote | null): note is BalanceNote => note?.member === numberOf(member);
  if ("ours" in evidence) {
    const ours = balanceIn(evidence.ours.note, keys);
    return isOwn(ours) ? [signedBalance(ours), said("claimed other-device")] : [said("broken note")];
  }
  if (!known.isLogOf({ ...finding, evidence }, evidence.log)) return [said("broken log")];
  if ("shown" in evidence) {
    const shown = balanceIn(evidence.shown.note, keys);
    return [...(isOwn(shown) ? [signedBalance(shown)] : []), said("claimed balance")];
  }
  const { before, now } = evidence;
  const [one, other] = [balanceIn(before.note, keys), balanceIn(now, keys)];
  if (!isOwn(one) || !isOwn(other)) return [said("broken note")];
  const { version } = one;
  if (before.version !== version || before.balance !== one.balance) return [said("broken note")];
  if (other.version !== version || other.balance === one.balance) return [said("broken same")];
  if (subject !== `change ${version}`) return [said("broken subject")];
  const facts = { version, one: toDecimal(one.balance), other: toDecimal(other.balance) };
  return [said("proven two-balances", facts), signedBalance(one), signedBalance(other)];
};
