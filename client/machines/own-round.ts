import { stakeOf, type Cart } from "./cart.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { ownRounds } from "#shared/contract/lottery.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { payoutAt, type Draw } from "#shared/lottery/rules.ts";
import { fromDecimal, fromUnits, MINOR_PER_UNIT, toDecimal, type Money } from "#shared/money.ts";

/** The member's stakes on one round. */
export type OwnRound = ReplyOf<typeof ownRounds>[number];

/** An option with what its stakes pay, by how often it falls. */
export interface Paying {
  type: string;
  pays: readonly Money[];
}

/** How often each option falls in a draw; nothing for a kind that is newer than this page. */
export function fallen(kind: string, draw: Draw): Map<string, number> {
  const options = GAME_KINDS.get(kind)?.options ?? [];
  return new Map(options.map((option) => [option.type, option.times(draw)]));
}

/** The most that one draw can pay for these stakes; null for a kind that is newer than this page. */
export function mostPaid(kind: string, stakes: readonly Paying[]): Money | null {
  const rules = GAME_KINDS.get(kind);
  if (!rules) return null;
  const options = rules.options.flatMap((option) => {
    const staked = stakes.find(({ type }) => type === option.type);
    return staked ? [{ option, pays: staked.pays }] : [];
  });
  const paid = (draw: Draw) => options.reduce((sum, { option, pays }) => sum + (pays[option.times(draw) - 1] ?? 0), 0);
  return Math.max(...allDraws(rules.dice).map(paid));
}

export const payingOf = ({ options }: OwnRound): Paying[] =>
  options.map(({ type, pays }) => ({ type, pays: pays.map(fromDecimal) }));

/** What a cart's stakes would pay on each option at the rates of the board, rounded down to a `step` of the unit. */
export function payingOfCart(
  cart: Cart,
  odds: readonly { type: string; pays: readonly string[] }[],
  step: Money,
): Paying[] {
  return odds
    .filter(({ type }) => cart.options.includes(type))
    .map(({ type, pays }) => {
      const stake = fromUnits(Number(stakeOf(cart, type) || "0"));
      return { type, pays: pays.map((rate) => payoutAt(stake, Math.round(Number(rate) * 1_000), step)) };
    });
}

/** The stakes on the newest of one's own rounds as a cart; null where there is none. */
export function lastCartOf(rounds: readonly OwnRound[] | undefined): Cart | null {
  const newest = rounds?.reduce<OwnRound | null>(
    (one, other) => (one && one.expect > other.expect ? one : other),
    null,
  );
  if (!newest) return null;
  const staked = newest.options.map(({ type, money }) => [type, String(fromDecimal(money) / MINOR_PER_UNIT)] as const);
  const options = staked.map(([type]) => type);
  const [[, stake] = ["", ""]] = staked;
  return staked.every(([, other]) => other === stake)
    ? { options, stake }
    : { options, stake, stakes: Object.fromEntries(staked) };
}

/** What came back less what was staked; null while the round waits. */
export const netOf = ({ money, win }: { money: string; win: string | null }): Money | null =>
  win === null ? null : fromDecimal(win) - fromDecimal(money);

/** Whether the round is never drawn, and what came back is the stake. */
export const isReturned = ({ opencode, win }: Pick<OwnRound, "opencode" | "win">): boolean =>
  win !== null && opencode === null;

/** A round of one's own as it was before its draw. */
export const undrawn = (own: OwnRound): OwnRound => ({
  ...own,
  opencode: null,
  win: null,
  options: own.options.map((option) => ({ ...option, win: null })),
});

/** A round of one's own with its draw, and what the server says that it paid. */
export function withDraw(own: OwnRound, kind: string, draw: Draw, win: string): OwnRound {
  const times = fallen(kind, draw);
  const options = own.options.map((option) => ({
    ...option,
    win: option.pays[(times.get(option.type) ?? 0) - 1] ?? toDecimal(0),
  }));
  return { ...own, opencode: [...draw], win, options };
}
