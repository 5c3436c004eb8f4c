import { describe, expect, it } from "vitest";
import { isSettledIn, leftIn, rangesOf, standsAfter } from "#server/domains/lottery/settle-ranges.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const bettors = (...ids: number[]) => Float64Array.from(ids);
const range = (fromId: number, toId: number, settledTo = fromId - 1, indexedTo = fromId - 1) => ({
  fromId,
  toId,
  settledTo,
  indexedTo,
});

describe("the ranges of a round", () => {
  const spans = (ids: Float64Array, least: number, most = 9) =>
    rangesOf(ids, { least, most }).map(({ fromId, toId }) => [fromId, toId]);

  it("hold every id, and none twice", () => {
    expect(spans(bettors(3, 5, 8, 9, 20, 21), 2)).toEqual([
      [1, 7],
      [8, 19],
      [20, MOST],
    ]);
  });

  it("have no fewer bettors than is worth it, and are as equal as can be", () => {
    expect(spans(bettors(3, 5, 8, 9, 20), 2)).toEqual([
      [1, 7],
      [8, MOST],
    ]);
    expect(spans(bettors(3, 5, 8), 2)).toEqual([[1, MOST]]);
    expect(spans(bettors(3), 2)).toEqual([[1, MOST]]);
  });

  it("are no more than so many, and none without a bettor", () => {
    expect(spans(bettors(3, 5, 8, 9, 20, 21), 1, 2)).toEqual([
      [1, 8],
      [9, MOST],
    ]);
    expect(spans(bettors(), 1)).toEqual([]);
  });

  it("begin with nobody settled and nobody indexed", () => {
    expect(rangesOf(bettors(3, 5), { least: 1, most: 9 })).toEqual([range(1, 4), range(5, MOST)]);
  });
});

it("those who are left in a range are in it, and behind where it stands", () => {
  const all = bettors(3, 5, 8, 9, 20);
  expect([...leftIn(range(5, 9, 5), "settledTo", all)]).toEqual([8, 9]);
  expect([...leftIn(range(5, 9, 5), "indexedTo", all)]).toEqual([5, 8, 9]);
  expect([...leftIn(range(5, 9, 9), "settledTo", all)]).toEqual([]);
});

it("a range stands at the last one of a piece, and at its end after the last piece", () => {
  expect(standsAfter(range(5, 30), [8, 9], [8, 9, 20])).toBe(9);
  expect(standsAfter(range(5, 30), [20], [20])).toBe(30);
});

it("a member is settled where the range that holds them stands at them or behind them", () => {
  const ranges = [range(1, 7, 5), range(8, MOST, 9)];
  expect([1, 5, 6, 7, 8, 9, 10].filter((id) => isSettledIn(ranges, id))).toEqual([1, 5, 8, 9]);
  expect(isSettledIn([], 1)).toBe(false);
});
