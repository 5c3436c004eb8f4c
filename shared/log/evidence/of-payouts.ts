import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { toDecimal, type Money } from "#shared/money.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { saltedLeaf, type Receipt } from "#shared/log/receipt.ts";
import { parseContent } from "#shared/log/salted.ts";
import { isHex } from "#shared/log/strict.ts";
import { rootFrom } from "#shared/log/tree.ts";
import type { EvidenceOf } from "./forms.ts";
import type { LogKeys } from "./keys.ts";
import type { Judge, Known } from "./known.ts";
import { keysOfBet, readKept, readLeaf, signedReceipt, type KeptReceipt } from "./of-bets.ts";
import { said, type Said } from "./says.ts";
import { winOf } from "./win.ts";

type Settlement = Leaf<"settle">;
type Shown = EvidenceOf<"payout">;

/** What the house paid for a bet, or did not: a claim beside what the bet wins. */
const judgeWin = (
  { subject, member, evidence }: Parameters<Judge<"payout" | "credit">>[0],
  claimOf: (receipt: Receipt) => Said,
  ...[keys, known]: [LogKeys, Known]
): Said[] => {
  const receipt = readKept(evidence.receipt, subject, member, keysOfBet(evidence.receipt, keys, known));
  if (!receipt) return [said("broken receipt")];
  const win = winOf(receipt, evidence, known.beacons);
  const won = win === null ? [] : [said("reckoned won", { order: subject, win: toDecimal(win) })];
  return [signedReceipt(receipt), ...won, claimOf(receipt)];
};

/**
 * A bet that was not paid as its odds say. The log binds what a round paid each member, and what it paid in all: either
 * convicts where it is less than signed receipts win, unless a restore between them may have lost these.
 */
export const judgePayout: Judge<"payout"> = (finding, keys, known) => {
  const { receipt: kept, settled, paid, win } = finding.evidence;
  const judged = judgeWin(finding, () => said("claimed paid", { win }), keys, known);
  const receipt = readKept(kept, finding.subject, finding.member, keys);
  if (!receipt || !settled) return judged;
  const { order, game, round } = receipt.bet;
  const leaf = readLeaf(settled, keys);
  if (leaf?.kind !== "settle" || leaf.game !== game || leaf.round !== round) return [said("broken settlement")];
  const inAll = toDecimal(leaf.payout);
  const facts = [...judged, said("signed settlement", { game, round, paid: inAll })];
  const due = winOf(receipt, finding.evidence, known.beacons);
  const isLess = due !== null && leaf.payout < due;
  const inRound = isLess ? [said("proven underpaid", { order, game, round, due: toDecimal(due), paid: inAll })] : [];
  if (!paid) return [...inRound, ...facts];
  const amount = amountOf(paid, receipt, leaf);
  if (amount === null) return [said("broken payout")];
  const ofMember = shortPaid(finding, receipt, amount, [keys, known]);
  const signed = said("signed payout", { game, round, paid: toDecimal(amount) });
  return [...(ofMember ? [ofMember] : inRound), ...facts, signed];
};

/** What convicts where the member was paid less than these of their bets on the round win together. */
function shortPaid(
  { member, evidence }: Parameters<Judge<"payout">>[0],
  receipt: Receipt,
  amount: Money,
  [keys, known]: [LogKeys, Known],
): Said | null {
  const { game, round } = receipt.bet;
  const others = (evidence.others ?? []).flatMap((kept) => readOther(kept, receipt, member, keys) ?? []);
  const bets = new Map([receipt, ...others].map((one) => [one.bet.order, one]));
  const wins = [...bets.values()].flatMap((one) => winOf(one, evidence, known.beacons) ?? []);
  const due = wins.reduce((sum, win) => sum + win, 0);
  if (amount >= due) return null;
  const orders = [...bets.keys()].join(", ");
  return said("proven short-paid", { orders, game, round, due: toDecimal(due), paid: toDecimal(amount) });
}

/** The receipt of another bet of the same member on the same round. */
function readOther(kept: KeptReceipt, { bet }: Receipt, member: string, keys: LogKeys): Receipt | null {
  const other = readKept(kept, kept.order, member, keys);
  return other && other.bet.game === bet.game && other.bet.round === bet.round ? other : null;
}

/** What the round paid the member of a receipt, as the root of its payouts binds it. Null where nothing shows that. */
function amountOf(
  { content: told, salt, index, path }: NonNullable<Shown["paid"]>,
  { bet }: Receipt,
  { payouts: size, payouts_root }: Settlement,
): Money | null {
  const content = parseContent(told);
  if (content?.kind !== "payout" || ![salt, ...path].every(isHex)) return null;
  const isOwn = content.member === bet.member && content.game === bet.game && content.round === bet.round;
  if (!isOwn || content.unit !== bet.unit) return null;
  const leaf = saltedLeaf(hexToBytes(salt), content);
  const root = rootFrom(leaf, { index, size, path: path.map(hexToBytes) });
  return root && bytesToHex(root) === payouts_root ? content.amount : null;
}

/** A win that no change of the balance holds. */
export const judgeCredit: Judge<"credit"> = (finding, ...known) => {
  const { due } = finding.evidence;
  return judgeWin(finding, ({ bet: { game, round } }) => said("claimed credited", { game, round, due }), ...known);
};
