import { describe, expect, it } from "vitest";
import { isAmount, typedDigits } from "#client/text/typed-digits.ts";

describe("a typed amount", () => {
  it.each([
    ["1 2a3.", "123"],
    ["-50", "50"],
    ["007", "7"],
    ["0", "0"],
    ["000", "0"],
    ["", ""],
    ["points", ""],
    ["１２３", "123"],
  ])("%j is read as %j", (typed, digits) => {
    expect(typedDigits(typed)).toBe(digits);
  });

  it("may be too much, so that the refusal can name it", () => {
    expect(isAmount(typedDigits("99999999999999999999"))).toBe(false);
  });

  it.each([
    ["", false],
    ["0", false],
    ["1", true],
    ["2000000000", true],
    ["2000000001", false],
  ])("%j is an amount: %j", (digits, names) => {
    expect(isAmount(digits)).toBe(names);
  });
});
