import { LOW_BITS, LOW_MASK } from "#shared/lottery/settler.ts";
import { GrowingGroups, type BetGroup } from "./bet-groups.ts";
import type { Salts } from "./member-salt.ts";
import { BetLeaves, type RoundTerms } from "./round-leaves.ts";
import { leafReader, type LeafRow } from "./taken-leaves.ts";

/*
 * Grows the trees over the bets of rounds, from their rows. Each engine reads its pages in its own way, in
 * grow-bets.sqlite.ts and grow-bets.postgres.ts.
 */

/** A range of bets, of rounds that are mixed in it: `after` exclusive, `upTo` inclusive. */
export interface ToGrow {
  after: number;
  /** Null: as far as all bets are committed, and not too many at once. */
  upTo: number | null;
  rounds: RoundToGrow[];
  /** Leaves that are known from the bets' receipts. */
  taken?: LeafRow;
}

/** Bets that one job takes in, so that what it returns is soon stored. */
export const MOST_AT_ONCE = 20_000;

export interface RoundToGrow {
  id: number;
  /** Its bets up to this number are in its groups. */
  after: number;
  terms: RoundTerms;
  /** The group that may still grow. */
  open: BetGroup | null;
}

/** The groups of a round that are new or have grown, or why there are none. */
export type GrownRound = { id: number; groups: BetGroup[] } | { id: number; failure: string };

export interface Grown {
  upTo: number;
  rounds: GrownRound[];
}

/** Rows of one page. */
const PAGE = 1_000;

/** A page of bets; `after` exclusive, `upTo` inclusive. */
export const betPage = (after: string, upTo: string): string =>
  `select id, member_id, mask & ${LOW_MASK}, mask >> ${LOW_BITS}, stake, total, created_at, round_id
  from bets where id > ${after} and id <= ${upTo} order by id limit ${PAGE}`;

export type BetRow = [
  id: number,
  memberId: number,
  low: number,
  high: number,
  stake: number,
  total: number,
  createdAt: number,
  roundId: number,
];

interface Growing {
  after: number;
  leaves: BetLeaves;
  groups: GrowingGroups;
  failure: string | null;
}

/** Takes in bets page by page. A round with a bet that has no leaf fails alone. */
export class Growth {
  readonly #rounds: Map<number, Growing>;
  readonly #upTo: number;
  readonly #takenLeaf: (bet: number) => string | null;
  /** The bet after which the next page begins; null at the end. */
  after: number | null;

  constructor({ after, rounds, taken }: ToGrow, upTo: number) {
    this.after = after;
    this.#takenLeaf = taken ? leafReader(taken) : () => null;
    this.#upTo = upTo;
    this.#rounds = new Map(
      rounds.map(({ id, after: from, terms, open }) => [
        id,
        { after: from, leaves: new BetLeaves(terms), groups: new GrowingGroups(open), failure: null },
      ]),
    );
  }

  /** The members of a page whose salts are needed: the leaves of their bets are not known. */
  unsalted(page: readonly BetRow[]): number[] {
    return page.filter((row) => this.#isOwn(row) && this.#takenLeaf(row[0]) === null).map(([, memberId]) => memberId);
  }

  #isOwn([id, , , , , , , roundId]: BetRow): boolean {
    return id > (this.#rounds.get(roundId)?.after ?? Infinity);
  }

  add(page: readonly BetRow[], salts: Salts): void {
    for (const row of page) {
      if (!this.#isOwn(row)) continue;
      const round = this.#rounds.get(row[7])!;
      if (round.failure !== null) continue;
      try {
        const [id, , , , , total] = row;
        round.groups.add(id, this.#takenLeaf(id) ?? leafOf(round, row, salts), total);
      } catch (error) {
        round.failure = `bet ${row[0]}: ${(error as Error).message}`;
      }
    }
    this.after = page.length < PAGE ? null : page.at(-1)![0];
  }

  get grown(): Grown {
    const rounds = [...this.#rounds].map(([id, { groups, failure }]) =>
      failure === null ? { id, groups: groups.groups } : { id, failure },
    );
    return { upTo: this.#upTo, rounds };
  }
}

function leafOf({ leaves }: Growing, [id, memberId, low, high, stake, , createdAt]: BetRow, salts: Salts): string {
  const mask = (BigInt(high) << BigInt(LOW_BITS)) | BigInt(low);
  return leaves.salted({ id, memberId, mask, stake, createdAt }, salts.get(memberId)!).leaf;
}
