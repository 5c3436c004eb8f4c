import { countOf, diceFromBytes, FACES, parityOf, sumOf } from "#shared/lottery/dice.ts";
import { rateFor } from "#shared/lottery/odds.ts";
import type { Draw, Option, Rules } from "#shared/lottery/rules.ts";

/*
 * Two dice: their sum, under or over seven, odd or even, a double. Seven is neither big nor small.
 */
const DICE = 2;
const SEVEN = 7;
const SUMS = Array.from({ length: 11 }, (_, place) => place + 2);
/** Returns in 1/1000 of the stake. */
const EVEN_RTP = 975;
const RTP = 950;

const WARM = "#b93c16";
const COOL = "#0f7b6c";
const PLAIN = "#2f5d9b";
const DOUBLE = "#8f2d56";

const colorOf = (sum: number) => (sum === SEVEN ? PLAIN : sum > SEVEN ? WARM : COOL);
const isDouble = (draw: Draw) => draw[0] === draw[1];

const sumOption = (sum: number): Option => ({
  type: String(sum),
  group: "sums",
  color: colorOf(sum),
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

const double = (face: number): Option => ({
  type: `${face}-${face}`,
  group: "doubles",
  color: DOUBLE,
  name: { key: "option.double", values: { face } },
  times: (draw) => Number(countOf(draw, face) === DICE),
  most: 1,
});

const evens = [
  even("A", "big", WARM, (sum) => sum > SEVEN),
  even("B", "small", COOL, (sum) => sum < SEVEN),
  even("C", "odd", WARM, (sum) => sum % 2 === 1),
  even("D", "even", COOL, (sum) => sum % 2 === 0),
];
const others: Option[] = [
  ...SUMS.map(sumOption),
  {
    type: "double",
    group: "doubles",
    color: DOUBLE,
    name: { key: "option.anyDouble" },
    times: (draw) => Number(isDouble(draw)),
    most: 1,
  },
  ...FACES.map(double),
];

export const dicePair: Rules = {
  kind: "dice-pair",
  classKey: "pair",
  dice: DICE,
  faces: 6,
  options: [...evens, ...others],
  get odds() {
    return [
      ...evens.map((option) => rateFor(EVEN_RTP, option, DICE)),
      ...others.map((option) => rateFor(RTP, option, DICE)),
    ];
  },
  drawFrom: (bytes) => diceFromBytes(DICE, bytes),
  view(draw) {
    const sum = sumOf(draw);
    return { sum, size: sum === SEVEN ? null : sum > SEVEN ? "big" : "small", parity: parityOf(sum) };
  },
};
