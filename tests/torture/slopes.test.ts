import { expect, it } from "vitest";
import { growthFaults, slopesOf } from "./slopes.ts";

const BETS = Array.from({ length: 24 }, (_, i) => i * 100);
const faults = (values: number[], allowed = { run: 500, bet: 0 }) =>
  growthFaults(slopesOf(BETS, [{ name: "heap", allowed, values }]));

it("what is swept again and again, and what one measurement shows, does not grow", () => {
  expect(faults(BETS.map((_, i) => 10_000 + (i % 4) * 300))).toEqual([]);
  expect(faults(BETS.map((_, i) => (i === 20 ? 1_000_000 : 10_000)))).toEqual([]);
});

it("what fills while a site gets warm does not grow", () => {
  expect(faults(BETS.map((_, i) => Math.min(i, 5) * 10_000))).toEqual([]);
});

it("what each bet leaves behind grows, unless a bet may leave that much", () => {
  expect(faults(BETS.map((bets) => 10_000 + bets))).toEqual(["heap grew by 1700, 1.0 a bet; 500 are allowed"]);
  expect(faults(BETS, { run: 500, bet: 1 })).toEqual([]);
});

it("a run in which nobody bet measures nothing", () => {
  const series = [{ name: "heap", allowed: { run: 0, bet: 0 }, values: [1, 2, 3, 4] }];
  expect(() => slopesOf([7, 7, 7, 7], series)).toThrow("nobody has bet");
});
