import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maskOf,
  oddsFor,
  OPTIONS,
  optionsOf,
  parityOf,
  payoutOf,
  payoutOfOption,
  sizeOf,
  waysOf,
  winningMask,
  type Option,
} from "#shared/lottery/dice-sum.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";

const SUMS = Array.from({ length: 16 }, (_, i) => i + 3);
const isSum = (option: Option) => /^\d+$/.test(option);
const { odds } = rulesOf("dice-sum");
const ROLLS = Array.from({ length: 216 }, (_, i) => (i % 6) + (Math.floor(i / 6) % 6) + Math.floor(i / 36) + 3);
const someOptions = fc.uniqueArray(fc.constantFrom(...OPTIONS));
const someStake = fc.integer({ min: 1, max: MAX_UNITS }).map(fromUnits);

describe("the options", () => {
  it("are kept by their place, which never changes", () => {
    expect(OPTIONS).toEqual([...SUMS.map(String), "big", "small", "odd", "even"]);
  });

  it("come back from a mask as they went in, in their order", () => {
    fc.assert(
      fc.property(someOptions, (options) => {
        expect(optionsOf(maskOf(options))).toEqual(OPTIONS.filter((option) => options.includes(option)));
      }),
    );
    expect(maskOf(OPTIONS)).toBe(2 ** 20 - 1);
  });

  it.each([
    [3, "small", "odd"],
    [10, "small", "even"],
    [11, "big", "odd"],
    [18, "big", "even"],
  ] as const)("win with the sum %i: the sum, %s and %s", (sum, size, parity) => {
    expect([sizeOf(sum), parityOf(sum)]).toEqual([size, parity]);
    expect(new Set(optionsOf(winningMask(sum)))).toEqual(new Set([String(sum), size, parity]));
  });

  it("are three that win with every roll", () => {
    for (const sum of SUMS) expect(optionsOf(winningMask(sum))).toHaveLength(3);
  });

  it("win in as many rolls as were counted", () => {
    expect(SUMS.map((sum) => waysOf(String(sum) as Option))).toEqual([
      1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1,
    ]);
    for (const option of ["big", "small", "odd", "even"] as const) expect(waysOf(option)).toBe(108);
  });
});

describe("the odds", () => {
  /** What an option returns, times 216 000: whole numbers, so that nothing is rounded. */
  const returnOf = (option: Option) => odds[OPTIONS.indexOf(option)]! * waysOf(option);

  it.each(OPTIONS.filter((option) => !isSum(option)))("return exactly 0.975 on %s", (option) => {
    expect(returnOf(option)).toBe(0.975 * 216_000);
  });

  it.each(OPTIONS.filter(isSum))("return at most 0.95 on the sum %s, short of it only by the rounding", (option) => {
    expect(returnOf(option)).toBeLessThanOrEqual(0.95 * 216_000);
    expect(returnOf(option) + waysOf(option)).toBeGreaterThan(0.95 * 216_000);
  });

  it("never return more than the stake, whatever return up to it is asked for", () => {
    for (let rtp = 900; rtp <= 1_000; rtp++) {
      const returned = oddsFor({ even: rtp, sum: rtp }).map((odds, place) => odds * waysOf(OPTIONS[place]!));
      expect(Math.max(...returned)).toBeLessThanOrEqual(rtp * 216);
    }
  });

  it("refuse a return above the stake", () => {
    expect(() => oddsFor({ even: 1_001, sum: 950 })).toThrow(RangeError);
    expect(() => oddsFor({ even: 975, sum: 1_001 })).toThrow(RangeError);
  });
});

describe("what a bet pays", () => {
  /** floor(stake × odds) in integers without bounds. */
  const exactly = (stake: number, oddsMilli: number) => Number((BigInt(stake) * BigInt(oddsMilli)) / 1_000n);

  it("is floor(stake × odds) in hundredths for an option", () => {
    expect(payoutOfOption(fromUnits(1), 1_950)).toBe(195);
    expect(payoutOfOption(fromUnits(1), 7_599)).toBe(759);
    expect(payoutOfOption(fromUnits(3), 8_207)).toBe(2_462);
    fc.assert(
      fc.property(someStake, fc.integer({ min: 1, max: 216_000 }), (stake, oddsMilli) => {
        expect(payoutOfOption(stake, oddsMilli)).toBe(exactly(stake, oddsMilli));
      }),
    );
  });

  it("is rounded down for each option by itself", () => {
    const oddsOfThree = OPTIONS.map(() => 1_999);
    const three = maskOf(["7", "small", "odd"]);
    expect(payoutOf(fromUnits(1), three, 7, oddsOfThree)).toBe(3 * 199);
  });

  it("is the sum over the options that win, and nothing when none does", () => {
    fc.assert(
      fc.property(someStake, someOptions, fc.constantFrom(...SUMS), (stake, options, sum) => {
        const wins = options.filter((option) => [String(sum), sizeOf(sum), parityOf(sum)].includes(option));
        const expected = wins.map((option) => exactly(stake, odds[OPTIONS.indexOf(option)]!));
        expect(payoutOf(stake, maskOf(options), sum, odds)).toBe(expected.reduce((all, one) => all + one, 0));
      }),
    );
    expect(payoutOf(fromUnits(100), maskOf(["3", "big", "odd"]), 10, odds)).toBe(0);
  });

  it("stays below the stake over all 216 rolls together", () => {
    fc.assert(
      fc.property(someStake, someOptions, (stake, options) => {
        const mask = maskOf(options);
        const paid = ROLLS.reduce((all, sum) => all + BigInt(payoutOf(stake, mask, sum, odds)), 0n);
        expect(paid <= 216n * BigInt(stake) * BigInt(options.length)).toBe(true);
      }),
    );
  });

  it("is a safe integer for the largest stake on every option, in every product on the way", () => {
    const largest = fromUnits(MAX_UNITS);
    for (const sum of SUMS) {
      const payout = payoutOf(largest, maskOf(OPTIONS), sum, odds);
      expect(Number.isSafeInteger(payout)).toBe(true);
      for (const oddsMilli of odds) expect(Number.isSafeInteger((largest / 100) * oddsMilli)).toBe(true);
    }
    expect(payoutOfOption(largest, 216_000)).toBe(exactly(largest, 216_000));
  });
});
