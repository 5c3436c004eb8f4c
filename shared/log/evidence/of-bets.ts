import { bytesToHex } from "@noble/hashes/utils.js";
import { toDecimal } from "#shared/money.ts";
import { falseReturns } from "#shared/lottery/shown-odds.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { parseReceipt, saltedLeaf, type Receipt } from "#shared/log/receipt.ts";
import { markOf } from "#shared/log/salted.ts";
import type { EvidenceOf } from "./forms.ts";
import { isIn, type LogKeys } from "./keys.ts";
import type { Judge, Known } from "./known.ts";
import { isOpening, termsFaults } from "#shared/log/terms.ts";
import { said, type Said } from "./says.ts";
import { listOf, number, text, withFields } from "./shape.ts";

type KeptClosing = EvidenceOf<"otherClosing">["before"];
export type KeptReceipt = EvidenceOf<"notCounted">["receipt"];

/** The house counts members by numbers, and shows them with `mem_` before. */
export const numberOf = (member: string): string => member.replace(/^mem_/, "");

const isOf = ({ bet, markSalt }: Receipt, member: string) => bet.member === markOf(markSalt, numberOf(member));

export const signedReceipt = ({ bet: { order, game, round, options, stake } }: Receipt): Said =>
  said("signed receipt", { order, options: options.join(" "), stake: toDecimal(stake), game, round });

/** A receipt as a device kept it, if the house signed it and it is what stands beside it. */
export function readKept(kept: KeptReceipt, order: string, member: string, keys: LogKeys): Receipt | null {
  const receipt = parseReceipt(kept.receipt);
  if (!receipt || kept.origin !== keys.origin) return null;
  const { bet } = receipt;
  if (bet.order !== order || kept.order !== order || bet.game !== kept.game || bet.round !== kept.round) return null;
  return kept.member === member && isOf(receipt, member) && keys.hasSigned(receipt) ? receipt : null;
}

/** The log that took a bet: after a restore it may be one before that of the finding. */
export const keysOfBet = ({ origin }: KeptReceipt, keys: LogKeys, known: Known): LogKeys => known.keys(origin) ?? keys;

type Placed = Pick<KeptClosing, "head" | "leaf" | "number" | "path">;

/** A leaf that stands in a head of this log. */
export function readLeaf({ head: note, leaf: text, number, path }: Placed, keys: LogKeys): Leaf | null {
  const head = keys.head(note);
  return head && isIn(head, text, number, path) ? parseLeaf(text) : null;
}

/** The closing of a round that stands in a head of this log. */
export function readClosing(
  placed: Placed,
  { game, round }: { game: string; round: string },
  keys: LogKeys,
): Leaf<"close"> | null {
  const leaf = readLeaf(placed, keys);
  return leaf?.kind === "close" && leaf.game === game && leaf.round === round ? leaf : null;
}

/** A closing as a device kept it. */
export function readKeptClosing(kept: KeptClosing, keys: LogKeys): Leaf<"close"> | null {
  const isOwn = kept.origin === keys.origin && kept.size === keys.head(kept.head)?.size;
  return isOwn ? readClosing(kept, kept, keys) : null;
}

export const signedClosing = ({ game, round, bets, stake }: Leaf<"close">): Said =>
  said("signed closing", { game, round, bets, stake: toDecimal(stake) });

export const signedOpening = ({ game, round, odds, odds_hash: hash }: Leaf<"open">): Said =>
  said("signed opening", { game, round, odds, hash });

/** Two closings of one round. */
export const judgeOtherClosing: Judge<"otherClosing"> = ({ subject, member, evidence: { before, told } }, keys) => {
  const { key: game, expect: round } = told;
  const one = readKeptClosing(before, keys);
  const other = readClosing({ ...told.close, head: told.head }, { game, round }, keys);
  if (member !== "" || subject !== `${game} ${round}`) return [said("broken subject")];
  if (!one || !other || one.game !== game || one.round !== round) return [said("broken closing")];
  if (before.leaf === told.close.leaf) return [said("broken same")];
  return [said("proven two-closings", { game, round }), signedClosing(one), signedClosing(other)];
};

/** A receipt that says something else than the screen, or than another one. */
export const judgeReceipt: Judge<"receipt"> = ({ evidence, ...finding }, keys, known) => {
  const { subject, member } = finding;
  if ("round" in evidence) {
    const own = keysOfBet(evidence.receipt, keys, known);
    const receipt = readKept(evidence.receipt, subject.replace(/ odds$/, ""), member, own);
    return receipt ? [signedReceipt(receipt), said("claimed shown")] : [said("broken receipt")];
  }
  const { log, before } = evidence;
  if (!known.isLogOf({ ...finding, evidence }, log)) return [said("broken log")];
  const receipt = parseReceipt(evidence.receipt);
  if (!receipt || receipt.bet.order !== subject) return [said("claimed not-signed")];
  if (!isOf(receipt, member)) return [signedOrNot(receipt, keys), said("claimed shown")];
  const last = keys.lateReceipt(receipt);
  if (last !== null) return [said("proven late-receipt", { batch: receipt.batch, last }), signedReceipt(receipt)];
  if (!keys.hasSigned(receipt)) return [said("claimed not-signed")];
  const signed = [signedReceipt(receipt)];
  if (before === undefined) return [...signed, said("claimed shown")];
  const one = readKept(before, subject, member, keys);
  if (!one) return [said("broken receipt")];
  if (isSameBet(one, receipt)) return [...signed, said("claimed shown")];
  return [said("proven two-receipts", { order: subject }), signedReceipt(one), ...signed];
};

/** A receipt of another member's bet may be what the house answered. */
const signedOrNot = (receipt: Receipt, keys: LogKeys): Said =>
  keys.hasSigned(receipt) ? signedReceipt(receipt) : said("claimed not-signed");

/** The signature covers a bet with its salt, and the batch. What else differs, anybody could have changed. */
const isSameBet = (one: Receipt, other: Receipt): boolean =>
  one.batch === other.batch &&
  bytesToHex(saltedLeaf(one.salt, one.bet)) === bytesToHex(saltedLeaf(other.salt, other.bet));

/** A bet that the house does not show among those of its round. What a log before a restore took, this one may have lost. */
export const judgeNotCounted: Judge<"notCounted"> = ({ subject, member, evidence }, keys, known) => {
  const own = keysOfBet(evidence.receipt, keys, known);
  const receipt = readKept(evidence.receipt, subject, member, own);
  if (!receipt) return [said("broken receipt")];
  const { order, game, round } = receipt.bet;
  const owed = said("claimed not-counted", { order });
  if (!evidence.closing) return [signedReceipt(receipt), owed];
  const closing = readKeptClosing(evidence.closing, keys);
  if (!closing || closing.game !== game || closing.round !== round) return [said("broken closing")];
  const signed = [signedReceipt(receipt), signedClosing(closing)];
  if (own !== keys || mayCount(closing, receipt)) return [...signed, owed];
  const { bets, stake } = closing;
  return [said("proven left-out", { order, game, round, bets, stake: toDecimal(stake) }), ...signed];
};

/** A bet that was taken on other terms than its round opened with. */
export const judgeTerms: Judge<"terms"> = ({ subject, member, evidence }, keys, known) => {
  const own = keysOfBet(evidence.receipt, keys, known);
  const receipt = readKept(evidence.receipt, subject, member, own);
  if (!receipt) return [said("broken receipt")];
  const closing = evidence.closing && readKeptClosing(evidence.closing, keys);
  if (closing === null) return [said("broken closing")];
  const signed = [signedReceipt(receipt), ...(closing ? [signedClosing(closing)] : [])];
  if (!evidence.opening || own !== keys) return [...signed, said("claimed terms")];
  const { bet } = receipt;
  const opening = readLeaf(evidence.opening, keys);
  if (!opening || !isOpening(opening, bet)) return [said("broken opening")];
  const names = termsFaults(bet, opening);
  const { order, game, round } = bet;
  const { rules } = opening;
  const { kind = rules } = evidence.receipt;
  if (names.length === 0 && kind === rules) return [said("broken same")];
  // Which rules the board showed, only the device says.
  if (names.length === 0)
    return [...signed, signedOpening(opening), said("claimed rules", { game, round, kind, rules })];
  const facts = { order, game, round, names: names.join(", ") };
  return [said("proven other-terms", facts), ...signed, signedOpening(opening)];
};

/** Whether a bet may be among those of a closing, as far as its counts and the root of a single bet say. */
function mayCount({ bets, stake, bets_root }: Leaf<"close">, { bet, salt }: Receipt): boolean {
  const isOnly = () => bets === 1 && bytesToHex(saltedLeaf(salt, bet)) === bets_root;
  return stake >= bet.stake * bet.options.length && (bets > 1 || isOnly());
}

/** A bet of an earlier log that the one after a loss no longer has. */
export const judgeBetLost: Judge<"betLost"> = ({ evidence, ...finding }, _keys, known) => {
  const { receipt: kept, log } = evidence;
  if (!known.isLogOf({ ...finding, evidence }, log)) return [said("broken log")];
  const older = known.keys(kept.origin);
  if (!older) return [said("claimed keys")];
  const receipt = kept.origin === log.origin ? null : readKept(kept, kept.order, finding.member, older);
  if (!receipt) return [said("broken receipt")];
  if (finding.subject !== `${kept.order} of ${kept.origin}`) return [said("broken subject")];
  return [signedReceipt(receipt), said("claimed bet-lost", { order: kept.order })];
};

const isPublished = listOf(withFields({ type: text, pays: listOf(text), rtp: number, probability: number }));

/** A board whose chances or returns do not follow from its payouts. */
export const judgeOdds: Judge<"odds"> = ({ evidence: { game, kind, odds } }) => {
  const options = isPublished(odds) ? falseReturns(odds, kind).join(" ") : "";
  return [...(options === "" ? [] : [said("reckoned bad-odds", { options })]), said("claimed board", { game })];
};
