import { filledIn, type Facts } from "#shared/log/check/finding.ts";

/**
 * What a check of evidence can say. `proven`: signatures and hashes in the file contradict each other, so the house, and
 * nobody else, made the contradiction. `signed` and `reckoned` are facts that need nobody's word. `claimed` is what the
 * device, or whoever hands the file over, says. `broken`: a part of the file is not what it must be.
 */
export const SAYS = {
  proven: {
    "two-heads": "Two heads of {size} leaves have different roots, and a key of the log signed each: two histories.",
    "other-beginning":
      "The log's keys signed a head of {older} leaves and one of {size}. The hashes between them lead to the root of the larger one, and show that its first {older} leaves are others: two histories.",
    "two-closings": "{game} {round}: two closings that differ stand in signed heads.",
    "two-receipts": "{order}: two receipts that differ are signed.",
    "late-receipt":
      "The receipt of batch {batch} is signed by a key that had signed to be replaced after batch {last}.",
    "late-head": "A head of {size} leaves is signed by a key that leaf {leaf} of the log had replaced.",
    "two-changes":
      "One key of the log signed two leaves that differ, and each puts another key in its place: leaf {one} of one history, and leaf {other} of the other.",
    "two-places":
      "The leaf that replaces a key of the log stands at two places, as number {one} and as number {other}: two histories.",
    "left-out":
      "{order}: the receipt is signed, and the signed closing of {game} {round} has no such bet: it counts {bets}, of {stake} together.",
    "other-terms":
      "{order}: the receipt is signed, and so is a head with the opening of {game} {round}. They do not agree in this: {names}.",
    underpaid:
      "{order} wins {due} by its signed receipt, its odds and the seed that its commit fixed. A signed head says that all of {game} {round} together was paid {paid}.",
    "short-paid":
      "By their signed receipts, their odds and the seed that their commit fixed, {orders} win {due} in {game} {round}. A signed head binds that their member was paid {paid} there in all.",
    "other-line": "Line {number} about the member is {one} in a signed head, and {other} in a signed note.",
    "fewer-lines":
      "A signed note of {before} counts {one} lines about the member, and one of {time} counts {other}: a line is gone.",
    "two-balances": "Two signed notes name different balances after change {version}: {one} and {other}.",
  },
  signed: {
    head: "A head of {size} leaves is signed by the log's key.",
    receipt: "The receipt of {order} is signed: {options} at {stake} each, in {game} {round}.",
    opening: "A signed head holds the opening of {game} {round}, on the odds {odds} with the hash {hash}.",
    closing: "A signed head holds the closing of {game} {round}: {bets} bets, {stake} together.",
    settlement: "A signed head says that {game} {round} paid {paid} in all.",
    payout: "A signed head binds that {game} {round} paid the member {paid} in all.",
    line: "A signed head holds line {number} about the member: {content}",
    lines: "A signed note of {time} counts {number} lines about the member.",
    balance: "A signed note names the balance {balance} after change {version}.",
  },
  reckoned: {
    won: "By its signed receipt, its odds and the seed that its commit fixed, {order} wins {win}.",
    "bad-seed": "The seed in the result is none, or does not lead to what was known before.",
    "bad-commit": "The seed in the result is not the one of the commit.",
    "bad-beacon": "The beacon in the result is not the one that its rule names.",
    "bad-dice": "The dice in the result do not follow from its seed, rule and beacon.",
    "bad-odds": "The published chances or returns of {options} do not follow from their payouts.",
  },
  claimed: {
    keys: "The keys of the log of this finding are not in the file, or not how they were replaced. So no signature can be checked.",
    asked:
      "The house showed no proof that joins these two heads. It owes one to everybody: ask /api/fair/consistency?from={from}&to={to}.",
    "other-log": "The house showed both logs at one address. Nothing that was signed joins them.",
    restored: "The house said that the second log continues the first after a loss. That is no contradiction.",
    unsigned: "The house showed this head. Its log's key did not sign it, so anybody could have made it.",
    closing: "The house told this closing. The hashes beside it are not signed.",
    anchor: "The house showed two anchors for one day. Compare them with the log: npm run verify -- log.",
    result: "The house told this commit or result. It is not signed; the log's own draw is: npm run verify -- log.",
    shown: "The screen showed something else than the receipt says.",
    "not-signed": "The house answered this receipt. No key of its log signed it, so anybody could have made it.",
    "not-counted":
      "The house showed no path from the bet to the closing. It owes one to its member: /api/fair/proof?id={order}.",
    terms:
      "The house showed no opening of the round beside the receipt. The log has it, or none: npm run verify -- log.",
    rules: "The screen showed {game} as {kind}. The opening of {round} says {rules}.",
    paid: "The house paid {win}. That is not signed here; the member's signed export says what was paid.",
    credited:
      "The house's list of changes of the balance holds no payment of {due} or more for {game} {round}, or does not add up. That is not signed here; the member's signed export says what was paid.",
    line: "The house answered or showed something else about the member. That is not signed.",
    gap: "The house did not answer a line that it had signed. It owes it to its member: /api/fair/mine?from={number}.",
    lost: "After a loss, {count} lines that an earlier log held are no longer answered.",
    "bet-lost": "After a loss, the house no longer has the bet {order}, of which it had signed this receipt.",
    export:
      "An export with the SHA-256 {hash} contradicts what the device keeps: {faults}. The export itself shows it.",
    board: "The board of {game} showed this. A board is not signed; the odds in the log are.",
    balance: "The house showed another balance than it signed.",
    "other-device": "Another device of the member was told another balance. Its own file has the other note.",
  },
  broken: {
    head: "A head in this finding is not signed by the log's key.",
    subject: "This finding names another subject than its content.",
    closing: "A closing in this finding does not stand in its head, or is of another round.",
    opening: "The opening in this finding does not stand in its head, or is of another round.",
    settlement: "What is said to be paid in this finding does not stand in its head, or is of another round.",
    payout: "What the member is said to be paid in this finding does not lead to the settlement of the round.",
    receipt: "A receipt in this finding is not signed by the log's key, or not of this bet.",
    member: "What stands here is not about the member that the finding names.",
    note: "A note in this finding is not signed by the log's key, or says something else than stands beside it.",
    line: "A line in this finding does not have its hash, or does not stand in its head.",
    log: "The log in this finding is another one, or its keys and heads do not hold.",
    same: "The two things that are to contradict each other are the same.",
  },
} as const;

export type Strength = keyof typeof SAYS;
export type SaidId<S extends Strength = Strength> = { [One in S]: `${One} ${keyof (typeof SAYS)[One] & string}` }[S];

/** One thing that a check of evidence says. */
export interface Said {
  id: SaidId;
  facts: Facts;
}

export const said = (id: SaidId, facts: Facts = {}): Said => ({ id, facts });

export const strengthOf = ({ id }: Said): Strength => id.slice(0, id.indexOf(" ")) as Strength;

export function sentenceOfSaid({ id, facts }: Said): string {
  const [strength, name] = id.split(" ") as [Strength, never];
  return filledIn(SAYS[strength][name], facts);
}
