import { pathDigest } from "./digest-tree.ts";
import type { Salts } from "./member-salt.ts";
import { payoutLeaf, Summing, type RoundTerms, type Summed } from "./round-leaves.ts";
import { LETTERS } from "./sha256.ts";

/*
 * What the log says of a round's payouts, from their rows. Each engine reads its pages in its own way, in
 * sum-payouts.sqlite.ts and sum-payouts.postgres.ts.
 */

/**
 * A round whose payouts are to be summed. Its bets are among `fromBet..toBet`, mixed with others. With `prove`, the path
 * from that member's payout to the root comes along.
 */
export interface RoundToSum {
  id: number;
  fromBet: number;
  toBet: number;
  terms: RoundTerms;
  prove?: number;
}

/** What a round paid one member, for how many bets, and where that stands among its payouts: a path from below, in hex. */
export interface ProvenPayout {
  bets: number;
  amount: number;
  index: number;
  path: string[];
}

/** What a round paid in all. `proven` is null where nobody is to be proven anything, and where they were paid nothing. */
export interface SummedPayouts extends Summed {
  proven: ProvenPayout | null;
}

/** Rows of one page. */
const PAGE = 1_000;

/** A page of who bet on which round; `after` exclusive, `upTo` inclusive. */
export const bettorPage = (after: string, upTo: string): string =>
  `select id, member_id, round_id from bets where id > ${after} and id <= ${upTo} order by id limit ${PAGE}`;

export type BettorRow = [id: number, memberId: number, roundId: number];

/** A page of a round's payouts in the order of their members. */
export const payoutPage = (round: string, after: string): string =>
  `select member_id, amount from payouts where round_id = ${round} and member_id > ${after} order by member_id limit ${PAGE}`;

export type PayoutRow = [memberId: number, amount: number];

/** Counts the bets of each member on a round, page by page. */
export class BetCount {
  readonly #round: number;
  readonly #bettors = new Map<number, number>();
  /** The bet after which the next page begins; null at the end. */
  after: number | null;

  constructor({ id, fromBet }: RoundToSum) {
    this.#round = id;
    this.after = fromBet - 1;
  }

  add(page: readonly BettorRow[]): void {
    for (const [, memberId, roundId] of page)
      if (roundId === this.#round) this.#bettors.set(memberId, this.of(memberId) + 1);
    this.after = page.length < PAGE ? null : page.at(-1)![0];
  }

  of(memberId: number): number {
    return this.#bettors.get(memberId) ?? 0;
  }
}

/** Sums the payouts of a round in the order of their members, whose bets were counted before. */
export class PayoutSum {
  readonly #round: RoundToSum;
  readonly #bets: BetCount;
  readonly #summing = new Summing();
  /** All leaves, one letter a byte, where one of them is to be proven. */
  readonly #leaves: string[] = [];
  #found: Omit<ProvenPayout, "path"> | null = null;
  /** The member after whom the next page begins; null at the end. */
  after: number | null = 0;

  constructor(round: RoundToSum, bets: BetCount) {
    this.#round = round;
    this.#bets = bets;
  }

  add(page: readonly PayoutRow[], salts: Salts): void {
    const { id, terms, prove } = this.#round;
    for (const [memberId, amount] of page) {
      const bets = this.#bets.of(memberId);
      const leaf = payoutLeaf(terms, { memberId, bets, amount }, id, salts.get(memberId)!);
      if (memberId === prove) this.#found = { bets, amount, index: this.#leaves.length };
      if (prove !== undefined) this.#leaves.push(Buffer.from(leaf).toString(LETTERS));
      this.#summing.add(leaf, amount);
    }
    this.after = page.length < PAGE ? null : page.at(-1)![0];
  }

  get summed(): SummedPayouts {
    const found = this.#found;
    const proven = found && { ...found, path: pathDigest(this.#leaves, found.index) };
    return { ...this.#summing.summed, proven };
  }
}
