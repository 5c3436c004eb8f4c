import type { OddsMilli } from "#shared/lottery/rules.ts";
import { faultOf, settlersOf, unpaidOf, type Count, type DrawnForSettling, type Unpaid } from "./count-bets.ts";
import type { Settlement } from "./settle-piece.ts";

/*
 * What settling is on either engine: its checks, and its statements with that engine's placeholders. Each engine has its
 * own way of crediting, in settle.sqlite.ts and settle.postgres.ts.
 */

/** A drawn round, with how far it is settled. */
export interface DrawnRound extends DrawnForSettling {
  gameId: number;
  day: number;
  /** Members up to this id are credited. */
  settledTo: number;
  settledAt: number | null;
  indexedAt: number | null;
  failedAt: number | null;
}

/** A row of `readDrawn`. */
export type DrawnRow = Omit<DrawnRound, "settlers"> & { kind: string; dice: string; unit: string | null };
/** A row of `readOdds`. */
export type OddsRow = [id: number, milli: string];

/** `unit` reads the text of a JSON value, as the engine does it. */
export const readDrawn = (round: string, unit: string): string =>
  `select id, game_id as "gameId", (select kind from games where games.id = game_id) as kind, day, from_bet as "fromBet",
   to_bet as "toBet", dice, settled_to as "settledTo", settled_at as "settledAt", indexed_at as "indexedAt",
   failed_at as "failedAt", (select ${unit} from settings where name = 'unit') as unit
   from rounds where id = ${round} and drawn_at is not null`;

export const readOdds = (game: string): string => `select id, milli from odds where game_id = ${game}`;

export const readPayouts = (round: string): string => `select member_id, amount from payouts where round_id = ${round}`;

/** A round from its row and all odds of its game. */
export function drawnRound(row: DrawnRow, odds: OddsRow[]): DrawnRound {
  const { kind, dice, unit } = row;
  const rates = odds.map(([id, milli]) => [id, JSON.parse(milli) as OddsMilli] as const);
  return { ...row, settlers: settlersOf({ kind, dice: JSON.parse(dice) as number[], odds: rates, unit }) };
}

/** Whether nothing is left to do: the round is indexed, or failed and waits for `round:retry`. */
export const isDone = ({ indexedAt, failedAt }: DrawnRound): boolean => indexedAt !== null || failedAt !== null;

/** Those who bet on the round, in the order in which they are credited. */
export const bettorsOf = (count: Count): Float64Array => Float64Array.from(count.members.keys()).sort();

/** Checks the whole round before its first credit: against itself, and against its payouts so far. */
export function checkRound(
  count: Count,
  round: DrawnRound,
  bettors: Float64Array,
  payouts: [memberId: number, amount: number][],
): Unpaid {
  const { members, fault } = unpaidOf(count, bettors, round.settledTo, payouts);
  return { members, fault: faultOf(count, round) ?? fault };
}

/** How finishing a round went. `before`: another process had finished it. */
export type Finished = "settled" | "before" | "unequal";

/** Why a round fails that ended as `unequal`. */
export const UNEQUAL = "its payouts are not what it owes";

export const settlementOf = ({ bets, members, staked, paid }: Count): Settlement => ({
  bets,
  members: members.size,
  staked,
  paid,
});

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
