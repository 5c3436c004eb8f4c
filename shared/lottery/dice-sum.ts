import type { Money } from "#shared/money.ts";

/** Three dice, in the order they fell. */
export type Dice = readonly number[];

const SUMS = ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18"] as const;
const EVEN_CHANCES = ["big", "small", "odd", "even"] as const;

export type Option = (typeof SUMS)[number] | (typeof EVEN_CHANCES)[number];

/** What can be chosen. The place of an option is its bit in a mask, for ever: bets are kept by it. */
export const OPTIONS: readonly Option[] = [...SUMS, ...EVEN_CHANCES];

/** A set of options, one bit each. */
export type OptionMask = number;

/** Odds in 1/1000, by the option's place in OPTIONS. */
export type OddsMilli = readonly number[];

export const ALL_ROLLS = 216;

export const sumOf = (dice: Dice): number => dice.reduce((sum, face) => sum + face, 0);
export const sizeOf = (sum: number): "big" | "small" => (sum >= 11 ? "big" : "small");
export const parityOf = (sum: number): "odd" | "even" => (sum % 2 ? "odd" : "even");

const bitOf = (option: Option): number => 1 << OPTIONS.indexOf(option);

export function maskOf(options: readonly Option[]): OptionMask {
  return options.reduce((mask, option) => mask | bitOf(option), 0);
}

export function optionsOf(mask: OptionMask): Option[] {
  return OPTIONS.filter((_, bit) => mask & (1 << bit));
}

/** The options that win with this sum: the sum itself, its size and its parity. */
export function winningMask(sum: number): OptionMask {
  return maskOf([String(sum) as Option, sizeOf(sum), parityOf(sum)]);
}

/** In how many of the 216 rolls the option wins, counted one by one. */
export function waysOf(option: Option): number {
  let ways = 0;
  for (let roll = 0; roll < ALL_ROLLS; roll++) {
    const dice: Dice = [(roll % 6) + 1, (Math.floor(roll / 6) % 6) + 1, Math.floor(roll / 36) + 1];
    if (winningMask(sumOf(dice)) & bitOf(option)) ways++;
  }
  return ways;
}

/** Odds that return `rtpMilli` thousandths of the stake in the long run, rounded down to three places. */
export function oddsFor(rtpMilli: { even: number; sum: number }): OddsMilli {
  return OPTIONS.map((option) => {
    const rtp = /^\d+$/.test(option) ? rtpMilli.sum : rtpMilli.even;
    if (rtp > 1_000) throw new RangeError(`a return above the stake: ${rtp}`);
    return Math.floor((rtp * ALL_ROLLS) / waysOf(option));
  });
}

/** floor(stake × odds) for one option. The stake is whole units, so every product stays a safe integer. */
export function payoutOfOption(stake: Money, oddsMilli: number): Money {
  return Math.floor(((stake / 100) * oddsMilli) / 10);
}

/** What a bet pays: each winning option by itself. */
export function payoutOf(stake: Money, mask: OptionMask, sum: number, odds: OddsMilli): Money {
  let left = mask & winningMask(sum);
  let payout = 0;
  for (let bit = 0; left; bit++, left >>>= 1) if (left & 1) payout += payoutOfOption(stake, odds[bit]!);
  return payout;
}
