import type Sqlite from "better-sqlite3";
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

const PAGE = 2_000;

/** Works out what every bet of a drawn round wins, a page of rows at a time. Writes nothing. */
export function* countBets(raw: Sqlite.Database, round: DrawnForSettling): Generator<undefined, Count> {
  const count: Count = { members: new Map(), bets: 0, staked: 0, paid: 0 };
  const page = raw
    .prepare(
      `select id, member_id, odds_id, mask, stake, total, version, round_id from bets
       where id > ? and id <= ? order by id limit ${PAGE}`,
    )
    .raw();
  for (let last = round.fromBet - 1; last < round.toBet;) {
    const rows = page.all(last, round.toBet) as BetRow[];
    for (const row of rows) if (row[7] === round.id) addBet(count, row, round);
    if (rows.length < PAGE) break;
    last = rows.at(-1)![0];
    yield;
  }
  return count;
}

type BetRow = [
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
