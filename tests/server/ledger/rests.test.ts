import { expect, it } from "vitest";
import { restReference, returnOfRest } from "#server/domains/ledger/rests.ts";

it("a rest's reference names its return", () => {
  expect(returnOfRest(restReference(12, 345))).toBe(12);
});

it.each(["", "rest:", "rest:12", "rest:a:5", "rest:12:5 ", "trf_12"])("%j is no reference of a rest", (reference) => {
  expect(returnOfRest(reference)).toBeUndefined();
});
