import { allowsBeacon } from "#shared/lottery/beacon.ts";
import type { OddsMilli } from "#shared/lottery/rules.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import { faultOf, settlersOf, unpaidOf, type Count, type DrawnForSettling, type Unpaid } from "./count-bets.ts";
import type { Settlement } from "./settle-piece.ts";
import type { SettleRange } from "./settle-ranges.ts";

/*
 * What settling is on either engine: its checks, and its statements with that engine's placeholders. Each engine has its
 * own way of crediting, in settle.sqlite.ts and settle.postgres.ts.
 */

/** A round that was drawn, or whose stakes go back, with how far it is settled. */
export interface DrawnRound extends DrawnForSettling {
  gameId: number;
  day: number;
  number: number;
  settledAt: number | null;
  indexedAt: number | null;
  failedAt: number | null;
  refundedAt: number | null;
  rule: string;
  beacon: string;
  signature: string;
}

/** A row of `readDrawn`. */
export type DrawnRow = Omit<DrawnRound, "settlers"> & {
  kind: string;
  dice: string | null;
  oddsId: number;
  unit: string | null;
};
/** A row of `readOdds`. */
export type OddsRow = [id: number, milli: string];

/** `unit` reads the text of a JSON value, as the engine does it. */
export const readDrawn = (round: string, unit: string): string =>
  `select id, game_id as "gameId", (select kind from games where games.id = game_id) as kind, day, number, from_bet as "fromBet",
   to_bet as "toBet", dice, settled_at as "settledAt", indexed_at as "indexedAt",
   failed_at as "failedAt", odds_id as "oddsId", beacon_rule as rule, beacon,
   beacon_signature as signature, refunded_at as "refundedAt", (select ${unit} from settings where name = 'unit') as unit
   from rounds where id = ${round} and (drawn_at is not null or refunded_at is not null)`;

export const readOdds = (odds: string): string => `select id, milli from odds where id = ${odds}`;

export const readPayouts = (round: string): string => `select member_id, amount from payouts where round_id = ${round}`;

/** A round from its row and its odds. A bet at other odds fails the round. */
export function drawnRound(row: DrawnRow, odds: OddsRow[]): DrawnRound {
  const { kind, unit } = row;
  const rates = odds.map(([id, milli]) => [id, JSON.parse(milli) as OddsMilli] as const);
  const dice = row.dice === null ? null : (JSON.parse(row.dice) as number[]);
  return { ...row, settlers: settlersOf({ kind, dice, odds: rates, unit }) };
}

/** Nothing was mixed into a draw that there is not. */
const hasRightBeacon = (round: DrawnRound): boolean =>
  round.refundedAt === null ? allowsBeacon(round) : round.beacon === "" && round.signature === "";

/** Whether nothing is left to do: the round is indexed, or failed and waits for `round:retry`. */
export const isDone = ({ indexedAt, failedAt }: DrawnRound): boolean => indexedAt !== null || failedAt !== null;

/** Those who bet on the round, in the order of their ids. */
export const bettorsOf = (count: Count): Float64Array => Float64Array.from(count.members.keys()).sort();

/** Checks the whole round before its first credit: against itself, and against its payouts so far. */
export function checkRound(
  count: Count,
  round: DrawnRound,
  bettors: Float64Array,
  before: { ranges: readonly SettleRange[]; payouts: [memberId: number, amount: number][] },
): Unpaid {
  const { members, fault } = unpaidOf(count, bettors, before.ranges, before.payouts);
  return { members, fault: hasRightBeacon(round) ? (faultOf(count, round) ?? fault) : FALSE_BEACON };
}

/** How finishing a round went. `before`: another process had finished it. */
export type Finished = "settled" | "before" | "unequal";

/** Why a round fails whose beacon is not what its rule gives. */
export const FALSE_BEACON = "it has a beacon that its rule does not allow";

/** Why a round fails that ended as `unequal`. */
export const UNEQUAL = "its payouts are not what it owes";

export const settlementOf = ({ bets, members, staked, paid }: Count): Settlement => ({
  bets,
  members: members.size,
  staked,
  paid,
});

/** What a member reads of a stake that came back, as the facts of a message; null where a round was drawn. */
export const returnedFacts = (round: DrawnRound, amount: number): string | null =>
  round.refundedAt === null ? null : JSON.stringify({ round: roundText(round), money: toDecimal(amount) });

type Placeholders<Name extends string> = Record<Name, string>;

/** Marks a round as settled, once, and only where its payouts come to what it owes. */
export const markSettled = (at: Placeholders<"round" | "now" | "bets" | "staked" | "paid">): string =>
  `update rounds set settled_at = ${at.now}, bet_count = ${at.bets}, staked = ${at.staked}, paid = ${at.paid}
   where id = ${at.round} and settled_at is null and failed_at is null
   and ${at.paid} = (select coalesce(sum(amount), 0) from payouts where round_id = ${at.round})`;

/** Marks a round as failed, once, and only before it is settled. */
export const markFailed = (at: Placeholders<"round" | "now" | "failure">): string =>
  `update rounds set failed_at = ${at.now}, failure = ${at.failure}
   where id = ${at.round} and failed_at is null and settled_at is null`;

/** Queues the result of a settled round for devices that want results, if there are any: no longer than a round lasts. */
export const queueResults = (at: Placeholders<"round" | "game" | "now">): string =>
  `insert into push_messages (kind, about, due_at, expires_at)
   select 'results', ${at.round}, ${at.now}, ${at.now} + period_s * 1000 from games
   where id = ${at.game} and exists (select 1 from push_subscriptions)`;
