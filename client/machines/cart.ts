import { fromUnits, MAX_UNITS, type Money } from "#shared/money.ts";

/** What a member is about to bet: option types as on the wire, and the stake on each as it was typed. */
export interface Cart {
  options: readonly string[];
  stake: string;
}

export const EMPTY_CART: Cart = { options: [], stake: "" };

export const toggle = ({ options, stake }: Cart, option: string): Cart => ({
  stake,
  options: options.includes(option) ? options.filter((other) => other !== option) : [...options, option],
});

/** Digits only, of whatever width, without leading zeros, and no more than may be bet. */
export function typedStake(typed: string): string {
  const digits = typed.normalize("NFKC").replaceAll(/\D/g, "");
  return digits === "" ? "" : String(Math.min(Number(digits), MAX_UNITS));
}

/** The stake on each option, times the options. */
export function totalOf({ options, stake }: Cart): Money {
  return fromUnits(Number(stake || "0")) * options.length;
}

export type CartProblem = "empty" | "amount" | "insufficient";

/** What keeps a cart from being placed; null when nothing does. */
export function problemOf(cart: Cart, balance: Money): CartProblem | null {
  if (cart.options.length === 0) return "empty";
  if (Number(cart.stake || "0") === 0) return "amount";
  return totalOf(cart) > balance ? "insufficient" : null;
}
