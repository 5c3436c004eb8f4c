import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDecimal, fromUnits, MAX_UNITS, money, toDecimal, toUnits } from "#shared/money.ts";

const someMoney = fc.maxSafeInteger();
const NO_MONEY = [0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300, 0.1 + 0.2];

describe("an amount of money", () => {
  it("is a safe integer of hundredths and nothing else", () => {
    for (const amount of [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
      expect(money(amount)).toBe(amount);
    for (const amount of NO_MONEY) expect(() => money(amount)).toThrow(RangeError);
  });

  it("comes from whole units, including the largest that a request may name", () => {
    expect([1, 100, MAX_UNITS].map(fromUnits)).toEqual([100, 10_000, 200_000_000_000]);
    expect(() => fromUnits(2 ** 53)).toThrow(RangeError);
  });

  it("is shown in units, whole or with a fraction of two digits", () => {
    expect([0, 100, -150, 1, fromUnits(MAX_UNITS)].map(toUnits)).toEqual([0, 1, -1.5, 0.01, MAX_UNITS]);
    for (const amount of NO_MONEY) expect(() => toUnits(amount)).toThrow(RangeError);
  });

  it("is written with two digits after the point", () => {
    expect([0, 1, 9, 10, 99, 100, 123_450].map(toDecimal).join(" ")).toBe("0.00 0.01 0.09 0.10 0.99 1.00 1234.50");
    expect([-1, -99, -100, -123_450].map(toDecimal).join(" ")).toBe("-0.01 -0.99 -1.00 -1234.50");
    expect(toDecimal(Number.MAX_SAFE_INTEGER)).toBe("90071992547409.91");
    expect(toDecimal(-0)).toBe("0.00");
    for (const amount of NO_MONEY) expect(() => toDecimal(amount)).toThrow(RangeError);
  });

  it("can be read back", () => {
    fc.assert(
      fc.property(someMoney, (amount) => {
        expect(toDecimal(amount)).toMatch(/^-?\d+\.\d{2}$/);
        expect(fromDecimal(toDecimal(amount))).toBe(amount);
      }),
    );
  });

  it("is parsed from no other text", () => {
    const shapes = ["", ".", "1", "1.", "1.0", "1.000", ".50", "1,00", "+1.00", " 1.00", "1.00 ", "1.00\n", "--1.00"];
    const values = ["01.00", "-0.00", "00.00", "1e3.00", "0x1.00", "１.00", "NaN", "1 000.00", "90071992547409.92"];
    for (const text of [...shapes, ...values]) expect(() => fromDecimal(text)).toThrow(RangeError);
  });
});
