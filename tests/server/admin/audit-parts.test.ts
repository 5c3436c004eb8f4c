import { expect, it } from "vitest";
import { partsOf } from "#server/admin/audit/parts.ts";

it("a long list is asked for in parts of a thousand, and none of it is left out or asked for twice", () => {
  const all = Array.from({ length: 2_001 }, (_, i) => i);
  const parts = [...partsOf(all)];
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  expect(parts.flat()).toEqual(all);
});

it("nothing is asked for where there is nothing, or nothing more", () => {
  expect([...partsOf([])]).toEqual([]);
  expect([...partsOf(Array.from({ length: 1_000 }, (_, i) => i))]).toHaveLength(1);
});
