import type { Money } from "#shared/money.ts";
import { payoutAt, winnersOf, type Draw, type OddsMilli, type Rules } from "./rules.ts";

/** Masks are two plain numbers here, for speed: the lowest bits, and those above. */
export const LOW_BITS = 31;
export const LOW_MASK = 2 ** LOW_BITS - 1;

/** What bets on a draw pay, precomputed once for all of them. */
export interface Settler {
  /** What a bet wins. NaN where a rate is missing from the odds. */
  payout(stake: Money, low: number, high: number): Money;
  /** How many options the mask has; 0 if one of them is unknown to the kind. */
  count(low: number, high: number): number;
}

export function settlerOf(rules: Rules, draw: Draw, milli: OddsMilli, step: Money): Settler {
  const winners = winnersOf(rules, draw, milli);
  const bitsOf = (isLow: boolean) =>
    winners
      .filter(({ place }) => place < LOW_BITS === isLow)
      .map(({ place, rateMilli }) => ({ bit: 1 << (isLow ? place : place - LOW_BITS), rateMilli }));
  const [lows, highs] = [bitsOf(true), bitsOf(false)];
  return {
    payout(stake, low, high) {
      let sum = 0;
      for (const { bit, rateMilli } of lows) if (low & bit) sum += payoutAt(stake, rateMilli, step);
      if (high) for (const { bit, rateMilli } of highs) if (high & bit) sum += payoutAt(stake, rateMilli, step);
      return sum;
    },
    count: countOf(rules),
  };
}

function countOf(rules: Rules): Settler["count"] {
  const count = rules.options.length;
  const [mostLow, mostHigh] = [2 ** Math.min(count, LOW_BITS), 2 ** Math.max(count - LOW_BITS, 0)];
  return (low, high) => (low < mostLow && high < mostHigh ? bitsIn(low) + bitsIn(high) : 0);
}

/** Returns all stakes of a round that is never drawn. */
export function returningSettler(rules: Rules): Settler {
  const count = countOf(rules);
  return { payout: (stake, low, high) => stake * count(low, high), count };
}

function bitsIn(half: number): number {
  let bits = 0;
  for (let left = half | 0; left; left &= left - 1) bits++;
  return bits;
}
