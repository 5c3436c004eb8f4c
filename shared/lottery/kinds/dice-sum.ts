import { diceFromBytes, parityOf, sumOf } from "#shared/lottery/dice.ts";
import { rateFor } from "#shared/lottery/odds.ts";
import type { Draw, Option, Rules } from "#shared/lottery/rules.ts";

/*
 * Three dice, and bets on their sum: the sum itself, big or small, odd or even.
 */
const DICE = 3;
const SUMS = Array.from({ length: 16 }, (_, place) => place + 3);
/** Returns of an even chance and of a sum, in 1/1000 of the stake. */
const EVEN_RTP = 975;
const SUM_RTP = 950;

/** Warm for big and odd, cool for small and even, as the sums themselves are. */
const WARM = "#b93c16";
const COOL = "#0f7b6c";

const isBig = (sum: number) => sum >= 11;

const sumOption = (sum: number): Option => ({
  type: String(sum),
  group: "sums",
  color: isBig(sum) ? WARM : COOL,
  name: { key: "option.sum", values: { sum } },
  times: (draw) => Number(sumOf(draw) === sum),
  most: 1,
});

const even = (type: string, name: string, color: string, wins: (sum: number) => boolean): Option => ({
  type,
  group: "evens",
  color,
  name: { key: `option.${name}` },
  times: (draw) => Number(wins(sumOf(draw))),
  most: 1,
});

const sums = SUMS.map(sumOption);
const evens = [
  even("A", "big", WARM, isBig),
  even("B", "small", COOL, (sum) => !isBig(sum)),
  even("C", "odd", WARM, (sum) => sum % 2 === 1),
  even("D", "even", COOL, (sum) => sum % 2 === 0),
];

export const diceSum: Rules = {
  kind: "dice-sum",
  classKey: "k3",
  dice: DICE,
  faces: 6,
  options: [...sums, ...evens],
  get odds() {
    return [
      ...sums.map((option) => rateFor(SUM_RTP, option, DICE)),
      ...evens.map((option) => rateFor(EVEN_RTP, option, DICE)),
    ];
  },
  drawFrom: (bytes) => diceFromBytes(DICE, bytes),
  view(draw: Draw) {
    const sum = sumOf(draw);
    return { sum, size: isBig(sum) ? "big" : "small", parity: parityOf(sum) };
  },
};
