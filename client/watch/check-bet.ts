import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairRound } from "#shared/contract/fair.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { fairProof } from "#shared/contract/log.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { NoteKey } from "#shared/log/note.ts";
import { parseReceipt, receiptFaults, saltedLeaf } from "#shared/log/receipt.ts";
import type { Receipt, ReceiptFault, Shown } from "#shared/log/receipt.ts";
import { contentText } from "#shared/log/salted.ts";
import { rootFrom } from "#shared/log/tree.ts";
import { drandMode, isTooFar, namedBeacon, NO_BEACON, QUICKNET, type DrandChain } from "#shared/lottery/beacon.ts";
import { drawOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { isOddsRecord } from "#shared/lottery/odds-record.ts";
import { maskOf, payoutAmong, winnersOf } from "#shared/lottery/rules.ts";
import { fromDecimal, type Money } from "#shared/money.ts";
import { stepOf } from "#shared/unit.ts";
import { closeLeafOf } from "./check-closing.ts";
import type { ShownOdds } from "#shared/lottery/shown-odds.ts";
import { hashesOf } from "./check-head.ts";

type Proof = ReplyOf<typeof fairProof>;
export type FairRound = Pick<ReplyOf<typeof fairRound>, "kind" | "odds" | "rule" | "beacon">;
type Returned = Pick<ReplyOf<typeof fairRound>, "rule" | "seed">;

/** What the screen showed as the bet was placed. */
export interface PlacedBet extends Pick<Shown, "order" | "member" | "game" | "round" | "options" | "stake" | "unit"> {
  /** Whether the board said that the draw takes a public beacon. */
  beacon?: Lottery["beacon"];
  /** The kind of game that the board showed, and the options that were chosen. */
  kind?: string;
  odds?: readonly ShownOdds[];
}

/** The house counts members by numbers, and shows them with `mem_` before. */
export const numberOf = (shown: string): string => shown.replace(/^mem_/, "");

/** What is known besides: the log's key, and the round's commit, null if it was not shown. */
interface Besides {
  key: NoteKey;
  commit: string | null;
}

/** Whether a rule takes no beacon, or one of a chain whose key is known here. */
const isRuleKnown = (rule: string): boolean => rule === NO_BEACON || namedBeacon(rule)?.chain === QUICKNET.hash;

/** Whether a rule is of the mode that the board showed. */
const isRuleShown = (rule: string, { beacon }: PlacedBet): boolean =>
  isRuleKnown(rule) && (beacon === undefined || (beacon === "none") === (rule === NO_BEACON));

/** A rule that this one is not. */
const otherRule = (rule: string): string => (rule === NO_BEACON ? drandMode(QUICKNET) : NO_BEACON);

/** What is wrong with a receipt; nothing means that the bet is taken as it was shown. */
export function takenFaults(text: string, placed: PlacedBet, known: Besides): (ReceiptFault | "form")[] {
  const receipt = parseReceipt(text);
  if (!receipt) return ["form"];
  const { odds, odds_hash } = receipt.bet;
  const rule = isRuleShown(receipt.bet.rule, placed) ? receipt.bet.rule : otherRule(receipt.bet.rule);
  const commit = known.commit ?? receipt.bet.commit;
  // The board shows kind, odds and mode, and not under which number, hash and rule the log has them. The receipt binds
  // the house to all three, and the opening that they lead to names the kind.
  const { beacon: _beacon, odds: _odds, kind: _kind, ...bet } = placed;
  const shown = { ...bet, commit, member: numberOf(placed.member), odds, odds_hash, rule };
  return receiptFaults(receipt, shown, known.key);
}

export type BetFault = "bet" | "path" | "root" | "count" | "round";

/** Checks the path of a bet to the root that the told closing names. */
export function countedFaults(receipt: Receipt, proof: Proof, closing: string): BetFault[] {
  const { bet, salt } = receipt;
  const close = closeLeafOf(closing, bet.game, bet.round);
  if (!close) return ["round"];
  const faults: BetFault[] = [];
  if (proof.bet !== contentText(bet) || proof.salt !== bytesToHex(salt)) faults.push("bet");
  const path = hashesOf(proof.path);
  const place = { index: proof.index, size: proof.count, path: path ?? [] };
  const root = path && rootFrom(saltedLeaf(salt, bet), place);
  if (!root || bytesToHex(root) !== proof.bets_root) faults.push("path");
  if (proof.bets_root !== close.bets_root) faults.push("root");
  if (proof.count !== close.bets) faults.push("count");
  return faults;
}

/** What a bet wins with a round's seed. Null where the round has other odds or another rule than the receipt names. */
export function expectedWin({ bet }: Receipt, { kind, odds, rule, beacon }: FairRound, seed: Uint8Array): Money | null {
  const rules = GAME_KINDS.get(kind);
  if (!rules || !odds || odds.hash !== bet.odds_hash || !isOddsRecord(rules, odds)) return null;
  if (rule !== bet.rule) return null;
  const milli = odds.options.flatMap((option) => option.milli);
  const dice = drawOf(rules, seed, { gameKey: bet.game, round: bet.round, rule, beacon });
  const staked = { stake: bet.stake, mask: maskOf(rules, bet.options) };
  return payoutAmong(winnersOf(rules, dice, milli), staked, stepOf(bet.unit));
}

/** Whether the house paid what the receipt and the round's odds give. */
export const isPaid = (receipt: Receipt, round: FairRound, seed: Uint8Array, win: string): boolean =>
  expectedWin(receipt, round, seed) === fromDecimal(win);

/**
 * Whether a stake went back in full, of a round whose beacon lay so far ahead that nobody could know its result. The clock
 * that took the bet was ahead, so the stake may go back at an earlier time than the bet's.
 */
export function isReturnedRightly(
  { bet }: Receipt,
  { round: { rule, seed }, proof, refund }: { round: Returned; proof: Proof; refund: Leaf<"refund"> },
  chains: readonly DrandChain[],
  win: string,
): boolean {
  if (refund.bets !== proof.count || refund.bets_root !== proof.bets_root) return false;
  if (seed !== null || rule !== bet.rule) return false;
  return isTooFar(rule, chains, refund.at) && fromDecimal(win) === bet.stake * bet.options.length;
}
