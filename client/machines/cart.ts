import { fromUnits, MAX_UNITS, MINOR_PER_UNIT, type Money } from "#shared/money.ts";

/** A bet before it is placed: option codes as on the wire, and the typed stake on each. */
export interface Cart {
  options: readonly string[];
  stake: string;
  /** Where each option has a stake of its own: those that differ from `stake`. */
  stakes?: Readonly<Record<string, string>>;
}

export const EMPTY_CART: Cart = { options: [], stake: "" };

export const toggle = (cart: Cart, option: string): Cart => {
  const { options } = cart;
  if (!options.includes(option)) return { ...cart, options: [...options, option] };
  return without(cart, [option]);
};

/** The cart without some options and their own stakes. */
export function without({ stakes, ...cart }: Cart, gone: readonly string[]): Cart {
  const options = cart.options.filter((option) => !gone.includes(option));
  if (!stakes) return { ...cart, options };
  return {
    ...cart,
    options,
    stakes: Object.fromEntries(Object.entries(stakes).filter(([one]) => !gone.includes(one))),
  };
}

/** The cart with a stake on one option, or on all that have none of their own. */
export function staked(cart: Cart, typed: string, option?: string): Cart {
  const stake = typedStake(typed);
  return option === undefined ? { ...cart, stake } : { ...cart, stakes: { ...cart.stakes, [option]: stake } };
}

/** The cart with a stake for each option, or with one for all. */
export const withStakes = ({ options, stake }: Cart, isEach: boolean): Cart => ({
  options,
  stake,
  ...(isEach && { stakes: {} }),
});

export const stakeOf = ({ stake, stakes }: Cart, option: string): string => stakes?.[option] ?? stake;

/** The orders that place a cart: one for each stake. */
export function ordersOf(cart: Cart): Cart[] {
  const stakes = new Set(cart.options.map((option) => stakeOf(cart, option)));
  return [...stakes].map((stake) => ({
    options: cart.options.filter((option) => stakeOf(cart, option) === stake),
    stake,
  }));
}

/** Reduces typed text to a stake: digits of any width become ASCII, no leading zeros, at most `MAX_UNITS`. */
export function typedStake(typed: string): string {
  const digits = typed.normalize("NFKC").replaceAll(/\D/g, "");
  return digits === "" ? "" : String(Math.min(Number(digits), MAX_UNITS));
}

/** The stakes of all options. */
export const totalOf = (cart: Cart): Money =>
  cart.options.reduce((sum, option) => sum + fromUnits(Number(stakeOf(cart, option) || "0")), 0);

/** The most whole units that a balance allows on an option beside the stakes on the others. */
export const mostOn = (cart: Cart, option: string, balance: Money): number =>
  Math.max(0, Math.floor((balance - totalOf(without(cart, [option]))) / MINOR_PER_UNIT));

export type CartProblem = "empty" | "amount" | "insufficient";

/** Why a cart cannot be placed; null if it can. */
export function problemOf(cart: Cart, balance: Money): CartProblem | null {
  if (cart.options.length === 0) return "empty";
  if (cart.options.some((option) => Number(stakeOf(cart, option) || "0") === 0)) return "amount";
  return totalOf(cart) > balance ? "insufficient" : null;
}
