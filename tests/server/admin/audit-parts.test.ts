import { expect, it } from "vitest";
import { partsOf } from "#server/admin/audit/parts.ts";

it("a list is read in parts, of which only the last may be short, and none is empty", () => {
  expect([...partsOf([], 2)]).toEqual([]);
  expect([...partsOf(["a"], 2)]).toEqual([["a"]]);
  expect([...partsOf(["a", "b"], 2)]).toEqual([["a", "b"]]);
  expect([...partsOf(["a", "b", "c", "d", "e"], 2)]).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

it("a statement takes a thousand values, unless it says otherwise", () => {
  const all = Array.from({ length: 2_001 }, (_, i) => i);
  expect([...partsOf(all)].map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
});
