import type { MemberOutcome } from "#server/app/deps.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { isDraw, type OddsMilli } from "#shared/lottery/rules.ts";
import { POINTS, stepOf } from "#shared/unit.ts";
import { isSettledIn, type SettleRange } from "./settle-ranges.ts";
import { LOW_BITS, LOW_MASK, returningSettler, settlerOf, type Settler } from "#shared/lottery/settler.ts";

/** One member's bets on a round: id, wallet version and win of each, in the order they were placed. */
export interface CountedMember {
  ids: number[];
  versions: number[];
  wins: number[];
  win: number;
}

/** What came of a member's bets, with their wallet after it. */
export const outcomeOf = (
  memberId: number,
  { ids, wins, win }: CountedMember,
  balance: number,
  version: number,
): MemberOutcome => ({ memberId, bets: ids.map((id, i) => ({ id, win: wins[i]! })), win, balance, version });

export interface DrawnForSettling {
  id: number;
  fromBet: number;
  toBet: number;
  /** What bets pay, by the id of their odds. Null where the dice are no draw of the game's kind. */
  settlers: Map<number, Settler> | null;
}

/** What decides the wins: the game's kind, the dice, and the odds of the round. */
interface Drawn {
  kind: string;
  /** Null for a round whose stakes go back. */
  dice: readonly number[] | null;
  odds: readonly (readonly [id: number, milli: OddsMilli])[];
  /** The ledger's unit; null where none was set. */
  unit: string | null;
}

/** The settler of a round that was drawn, or whose stakes go back, by the odds that all its bets have. */
export function settlersOf({ kind, dice, odds, unit }: Drawn): Map<number, Settler> | null {
  const rules = rulesOf(kind);
  if (dice === null) return new Map(odds.map(([id]) => [id, returningSettler(rules)]));
  if (!isDraw(rules, dice)) return null;
  const step = stepOf(unit ?? POINTS);
  return new Map(odds.map(([id, milli]) => [id, settlerOf(rules, dice, milli, step)]));
}

export interface Count {
  members: Map<number, CountedMember>;
  bets: number;
  staked: number;
  paid: number;
  lastBet: number;
  /** Describes the first invalid bet. With one, nobody is credited. */
  fault: string | null;
}

/** Rows of one page of bets. */
export const PAGE = 1_000;

/** A page of bets in a range of numbers, which may hold other rounds' bets too: `after` exclusive, `upTo` inclusive. */
export const betPage = (
  after: string,
  upTo: string,
): string => `select id, member_id, odds_id, mask & ${LOW_MASK}, mask >> ${LOW_BITS}, stake, total, version, round_id from bets
  where id > ${after} and id <= ${upTo} order by id limit ${PAGE}`;

export const noBets = (): Count => ({ members: new Map(), bets: 0, staked: 0, paid: 0, lastBet: 0, fault: null });

/**
 * Adds the round's bets of a page, those of members for whom `counts` is true. Returns the last id, after which the next
 * page begins, or null at the end.
 */
export function countPage(
  count: Count,
  round: DrawnForSettling,
  rows: BetRow[],
  counts: (memberId: number) => boolean = () => true,
): number | null {
  for (const row of rows) if (row[8] === round.id && counts(row[1])) addBet(count, row, round);
  return rows.length < PAGE ? null : rows.at(-1)![0];
}

export type BetRow = [
  id: number,
  memberId: number,
  oddsId: number,
  low: number,
  high: number,
  stake: number,
  total: number,
  version: number,
  roundId: number,
];

function addBet(
  count: Count,
  [id, memberId, oddsId, low, high, stake, total, version]: BetRow,
  round: DrawnForSettling,
) {
  const settler = round.settlers?.get(oddsId);
  const win = settler ? settler.payout(stake, low, high) : Number.NaN;
  const options = settler ? settler.count(low, high) : 0;
  if (round.settlers && !settler) count.fault ??= `bet ${id} has other odds than its round`;
  count.fault ??= faultOfBet(count, { id, options, stake, total, win });
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
  count.lastBet = id;
}

interface CountedBet {
  id: number;
  /** How many options it is on; 0 if its kind lacks one of them. */
  options: number;
  stake: number;
  total: number;
  win: number;
}

function faultOfBet({ lastBet }: Count, { id, options, stake, total, win }: CountedBet): string | null {
  if (id <= lastBet) return `bet ${id} was counted twice`;
  if (!Number.isSafeInteger(win) || win < 0) return `bet ${id} would win ${win}`;
  if (total !== stake * options || total <= 0) return `bet ${id} took ${total}, not its stakes`;
  return null;
}

/** What is wrong with a counted round, in words; null when it may be paid. Checked before the first credit. */
export function faultOf(
  { fault, members, paid, staked }: Count,
  { settlers }: Pick<DrawnForSettling, "settlers">,
): string | null {
  if (!settlers) return "its dice are no draw of its kind";
  if (fault !== null) return fault;
  if (!Number.isSafeInteger(paid) || !Number.isSafeInteger(staked)) return `it would pay ${paid} for ${staked}`;
  let sum = 0;
  for (const { win } of members.values()) sum += win;
  return sum === paid ? null : `its members would win ${sum}, its bets ${paid}`;
}

/** What is still to be paid of a round, whatever an earlier attempt has paid. */
export interface Unpaid {
  /** Members to credit, or to report as having won nothing, in order. */
  members: Float64Array;
  fault: string | null;
}

/**
 * Compares a round with its payouts so far. Members who are settled by its ranges are done, except a winner among them
 * without a payout, who is still owed it.
 */
export function unpaidOf(
  count: Count,
  members: Float64Array,
  ranges: readonly SettleRange[],
  payouts: [number, number][],
): Unpaid {
  const got = new Map(payouts);
  let fault: string | null = null;
  for (const [memberId, amount] of payouts) {
    const owed = count.members.get(memberId)?.win ?? 0;
    if (owed !== amount) fault ??= `member ${memberId} was paid ${amount} and won ${owed}`;
  }
  const isLeft = (memberId: number) =>
    !got.has(memberId) && (!isSettledIn(ranges, memberId) || count.members.get(memberId)!.win > 0);
  return { members: members.filter(isLeft), fault };
}
