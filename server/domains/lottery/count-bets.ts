import { payoutOf, type OddsMilli } from "#shared/lottery/dice-sum.ts";

/** One member's bets on a round: id, wallet version and win of each, in the order they were placed. */
export interface CountedMember {
  ids: number[];
  versions: number[];
  wins: number[];
  win: number;
}

export interface DrawnForSettling {
  id: number;
  fromBet: number;
  toBet: number;
  sum: number;
  /** Odds by the number of their row. */
  odds: Map<number, OddsMilli>;
}

export interface Count {
  members: Map<number, CountedMember>;
  bets: number;
  staked: number;
  paid: number;
}

/** Rows of one page of bets. */
export const PAGE = 1_000;

/** A page of the bets from..to of a round, among which may lie others': `?` is after which number, and up to which. */
export const BET_PAGE = `select id, member_id, odds_id, mask, stake, total, version, round_id from bets
  where id > ? and id <= ? order by id limit ${PAGE}`;

export const noBets = (): Count => ({ members: new Map(), bets: 0, staked: 0, paid: 0 });

/** Adds a page of bets, those of the round and for whomever `counts` says so. Returns where the next page begins, or null at the end. */
export function countPage(
  count: Count,
  round: DrawnForSettling,
  rows: BetRow[],
  counts: (memberId: number) => boolean = () => true,
): number | null {
  for (const row of rows) if (row[7] === round.id && counts(row[1])) addBet(count, row, round);
  return rows.length < PAGE ? null : rows.at(-1)![0];
}

export type BetRow = [
  id: number,
  memberId: number,
  oddsId: number,
  mask: number,
  stake: number,
  total: number,
  version: number,
  roundId: number,
];

function addBet(count: Count, [id, memberId, oddsId, mask, stake, total, version]: BetRow, round: DrawnForSettling) {
  const win = payoutOf(stake, mask, round.sum, round.odds.get(oddsId)!);
  let member = count.members.get(memberId);
  if (!member) {
    member = { ids: [], versions: [], wins: [], win: 0 };
    count.members.set(memberId, member);
  }
  member.ids.push(id);
  member.versions.push(version);
  member.wins.push(win);
  member.win += win;
  count.bets++;
  count.staked += total;
  count.paid += win;
}
