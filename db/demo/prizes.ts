import { fromUnits } from "#shared/money.ts";
import { DEMO_PRIZE_MEMOS as MEMOS, DEMO_PRIZE_TITLES as TITLES } from "./prize-texts.ts";

const points = (title: keyof typeof TITLES, units: number, weight: number) => ({
  id: `points-${units}`,
  title: TITLES[title],
  memo: MEMOS.points,
  image: `/prizes/points-${units}.svg`,
  kind: "points" as const,
  amount: fromUnits(units),
  weight,
});

const days = (title: keyof typeof TITLES, amount: number, weight: number, stock: number | null) => ({
  id: `days-${amount}`,
  title: TITLES[title],
  memo: MEMOS.days,
  image: `/prizes/days-${amount}.svg`,
  kind: "days" as const,
  amount,
  weight,
  stock,
});

const other = (kind: "spin" | "thanks", amount: number, weight: number) => ({
  id: kind,
  title: TITLES[kind],
  memo: MEMOS[kind],
  image: `/prizes/${kind}.svg`,
  kind,
  amount,
  weight,
});

/** The wheel of the demo, in order. The weights sum to 1000. A spin wins 22.5 points on average. */
export const DEMO_PRIZES = [
  points("ten", 10, 300),
  other("spin", 1, 120),
  points("fifty", 50, 150),
  days("threeDays", 3, 60, null),
  points("twoHundred", 200, 40),
  other("thanks", 0, 320),
  points("thousand", 1_000, 4),
  days("month", 30, 6, 100),
];
