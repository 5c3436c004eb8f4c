import { fromUnits, MAX_UNITS, type Money } from "#shared/money.ts";

/** A bet before it is placed: option codes as on the wire, and the typed stake per option. */
export interface Cart {
  options: readonly string[];
  stake: string;
}

export const EMPTY_CART: Cart = { options: [], stake: "" };

export const toggle = ({ options, stake }: Cart, option: string): Cart => ({
  stake,
  options: options.includes(option) ? options.filter((other) => other !== option) : [...options, option],
});

/** Reduces typed text to a stake: digits of any width become ASCII, no leading zeros, at most `MAX_UNITS`. */
export function typedStake(typed: string): string {
  const digits = typed.normalize("NFKC").replaceAll(/\D/g, "");
  return digits === "" ? "" : String(Math.min(Number(digits), MAX_UNITS));
}

/** The stake times the number of options. */
export function totalOf({ options, stake }: Cart): Money {
  return fromUnits(Number(stake || "0")) * options.length;
}

export type CartProblem = "empty" | "amount" | "insufficient";

/** Why a cart cannot be placed; null if it can. */
export function problemOf(cart: Cart, balance: Money): CartProblem | null {
  if (cart.options.length === 0) return "empty";
  if (Number(cart.stake || "0") === 0) return "amount";
  return totalOf(cart) > balance ? "insufficient" : null;
}
