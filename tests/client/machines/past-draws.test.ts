import { expect, it } from "vitest";
import { countFallen, placeOnRoad } from "#client/machines/past-draws.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";

const placed = (outcomes: string, rows: number) =>
  placeOnRoad([...outcomes], rows).map(({ column, row }) => `${column}.${row}`);

it("a run goes down a column, and each other outcome begins the next", () => {
  expect(placed("BBSB", 6)).toEqual(["1.1", "1.2", "2.1", "3.1"]);
  expect(placed("", 6)).toEqual([]);
});

it("a run longer than a column goes on beside it", () => {
  expect(placed("BBBBBS", 2)).toEqual(["1.1", "1.2", "2.1", "2.2", "3.1", "4.1"]);
});

it("over all draws of every kind, each option falls exactly as often as expected", () => {
  for (const [kind, { dice, options }] of GAME_KINDS) {
    for (const group of new Set(options.map((option) => option.group))) {
      const counts = countFallen(kind, group, allDraws(dice));
      expect(counts.length).toBeGreaterThan(0);
      for (const { type, fell, expected } of counts) expect(expected, `${kind} ${type}`).toBeCloseTo(fell, 9);
    }
  }
});

it("fewer draws make proportionally fewer expected", () => {
  expect(countFallen("dice-pair", "sums", [[3, 4]]).find(({ type }) => type === "7")).toEqual({
    type: "7",
    fell: 1,
    expected: 1 / 6,
  });
});

it("a kind that is newer than the page has no counts", () => {
  expect(countFallen("a-kind-of-tomorrow", "sums", [[1]])).toEqual([]);
});
