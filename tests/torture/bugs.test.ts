import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BUGS } from "./bugs.ts";

it("each planted bug has its place in today's code, once", () => {
  const lost = BUGS.filter(({ file, was }) => readFileSync(file, "utf8").split(was).length !== 2);
  expect(lost.map(({ name }) => name)).toEqual([]);
});
