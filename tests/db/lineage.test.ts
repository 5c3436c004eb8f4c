import { expect, it } from "vitest";
import { waitsForAll } from "#db/postgres/lineage.ts";

it.each([
  ["a", true],
  ['"a"', true],
  ["1 (a)", true],
  ["FIRST 2 (a, b)", true],
  ["ANY 2 (a,b)", true],
  ["any 3 (a, b, c)", true],
  ["", false],
  ["*", false],
  ["a, b", false],
  ["FIRST 1 (a, b)", false],
  ["ANY 1 (a, b)", false],
  ["ANY 2 (a, b, c)", false],
  ["2 (*)", false],
])("commits that wait for %s have reached whichever replica is promoted: %s", (standbys, isSo) => {
  expect(waitsForAll(standbys)).toBe(isSo);
});
