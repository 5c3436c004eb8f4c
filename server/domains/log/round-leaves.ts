import { MerkleTree } from "#shared/merkle.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { Content } from "#shared/log/salted.ts";
import { saltedLeaf } from "#shared/log/receipt.ts";
import { HASH_BYTES } from "#shared/log/strict.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { placesOf } from "#shared/lottery/rules.ts";
import type { SaltSource } from "./member-salt.ts";
import { digest, leafDigest, LETTERS, sha256 } from "./sha256.ts";

/** What all bets of a round have in common: its opening, as the log says it. */
export type RoundTerms = Leaf<"open">;

/** A bet's own part. */
export interface BetPart {
  id: number;
  memberId: number;
  mask: bigint;
  stake: number;
  createdAt: number;
}

/** A bet as its leaf says it. */
export function betContent(terms: RoundTerms, bet: BetPart, { mark }: SaltSource): Content<"bet"> {
  const rules = rulesOf(terms.rules);
  return {
    kind: "bet",
    order: betName(bet.id),
    member: mark,
    game: terms.game,
    round: terms.round,
    commit: terms.commit,
    odds: terms.odds,
    odds_hash: terms.odds_hash,
    rule: terms.beacon_rule,
    options: placesOf(rules, bet.mask).map((place) => rules.options[place]!.type),
    stake: bet.stake,
    unit: terms.unit,
    time: bet.createdAt,
  };
}

const betName = (id: number) => `bet_${id}`;

interface SaltedBet {
  text: string;
  /** Salt and leaf, one letter a byte. */
  salt: string;
  leaf: string;
  /** In hex. */
  markSalt: string;
}

/** Room for a salt and a bet, which is used again and again. A longer one gets its own. */
const LONGEST_BET = 4_096;
const salted = Buffer.alloc(LONGEST_BET);

/**
 * The leaves of a round's bets, fast: the same bytes as `saltedLeaf` of `betContent`, of which all but a few fields are
 * the same for every bet of a round.
 */
export class BetLeaves {
  readonly #start: string;
  readonly #middle: string;
  readonly #round: string;
  readonly #end: string;
  readonly #terms: RoundTerms;
  readonly #options = new Map<bigint, string>();

  constructor(terms: RoundTerms) {
    this.#terms = terms;
    const { commit, game, odds, odds_hash, round, beacon_rule, unit } = terms;
    this.#start = `{"commit":"${commit}","game":"${game}","kind":"bet","member":"`;
    this.#middle = `","odds":"${odds}","odds_hash":"${odds_hash}","options":`;
    this.#round = `","round":"${round}","rule":"${beacon_rule}","stake":`;
    this.#end = `,"unit":"${unit}"}`;
  }

  leaf(bet: BetPart, member: SaltSource): Buffer {
    return Buffer.from(this.salted(bet, member).leaf, LETTERS);
  }

  /** A bet's canonical text, which is ASCII, its salt, and the leaf that they make. */
  salted({ id, mask, stake, createdAt }: BetPart, member: SaltSource): SaltedBet {
    const who = `${this.#start}${member.mark}${this.#middle}${this.#optionsOf(mask)}`;
    const text = `${who},"order":"${betName(id)}${this.#round}${stake},"time":${createdAt}${this.#end}`;
    const salt = member.ofBet(id);
    const isLong = HASH_BYTES + text.length > LONGEST_BET;
    const hidden = isLong ? Buffer.from(salt + text, LETTERS) : salted.subarray(0, salted.write(salt + text, LETTERS));
    return { text, salt, leaf: leafDigest(digest(hidden)), markSalt: member.markSalt };
  }

  #optionsOf(mask: bigint): string {
    let options = this.#options.get(mask);
    if (options === undefined) {
      const rules = rulesOf(this.#terms.rules);
      options = JSON.stringify(placesOf(rules, mask).map((place) => rules.options[place]!.type));
      this.#options.set(mask, options);
    }
    return options;
  }
}

interface PayoutPart {
  memberId: number;
  /** How many bets it pays. */
  bets: number;
  amount: number;
}

/** A payout as its leaf says it. */
export const payoutContent = (terms: RoundTerms, payout: PayoutPart, { mark }: SaltSource): Content<"payout"> => ({
  kind: "payout",
  member: mark,
  game: terms.game,
  round: terms.round,
  bets: payout.bets,
  amount: payout.amount,
  unit: terms.unit,
});

/** A payout's leaf. */
export const payoutLeaf = (terms: RoundTerms, payout: PayoutPart, roundId: number, member: SaltSource): Uint8Array =>
  saltedLeaf(Buffer.from(member.ofPayout(roundId), LETTERS), payoutContent(terms, payout, member), sha256);

/** What the log says of many bets or payouts: how many, their sum, and the root over them. */
export interface Summed {
  count: number;
  sum: number;
  root: string;
}

/** Sums leaves one by one, in order. */
export class Summing {
  readonly #tree = new MerkleTree(sha256);
  #sum = 0;

  add(leaf: Uint8Array, amount: number): void {
    this.#tree.add(leaf);
    this.#sum += amount;
  }

  get summed(): Summed {
    return { count: this.#tree.size, sum: this.#sum, root: this.#tree.root() };
  }
}
