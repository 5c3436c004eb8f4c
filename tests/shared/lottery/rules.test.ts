import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diceFromBytes, sumOf } from "#shared/lottery/dice.ts";
import { assertOdds, rateFor } from "#shared/lottery/odds.ts";
import { bitsIn, isMask, MAX_RATE_MILLI, maskOf, MOST_OPTIONS, payoutAt, payoutOf } from "#shared/lottery/rules.ts";
import { placeOfType, placesOf, rateCount, ratesOf, type Option, type Rules } from "#shared/lottery/rules.ts";
import { settlerOf } from "#shared/lottery/settler.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";

/**
 * One die and as many options as a mask can hold: each wins with every face but one, and its payout depends on which.
 */
const option = (place: number): Option => ({
  type: `o${place}`,
  group: "all",
  color: "#000000",
  name: { key: "option.sum", values: { sum: place } },
  times: ([face]) => Math.max(0, ((face! + place) % 6) - 2),
  most: 3,
});
const WIDE: Rules = {
  kind: "wide",
  classKey: "wide",
  dice: 1,
  faces: 6,
  options: Array.from({ length: MOST_OPTIONS }, (_, place) => option(place)),
  odds: Array.from({ length: MOST_OPTIONS }, (_, place) => [1_001 + place, 1_500, 1_700]).flat(),
  drawFrom: (bytes) => diceFromBytes(1, bytes),
  view: (draw) => ({ sum: sumOf(draw), size: null, parity: null }),
};
const types = WIDE.options.map(({ type }) => type);
const someTypes = fc.uniqueArray(fc.constantFrom(...types));
const halves = (mask: bigint) => [Number(mask & 0x7fffffffn), Number(mask >> 31n)] as const;

describe("a mask", () => {
  it("holds 63 options, including the last", () => {
    expect(maskOf(WIDE, types)).toBe(2n ** 63n - 1n);
    expect(maskOf(WIDE, ["o62"])).toBe(2n ** 62n);
    expect(() => maskOf(WIDE, ["o63"])).toThrow("wide has no option o63");
    expect([placeOfType(WIDE, "o62"), placeOfType(WIDE, "toString")]).toEqual([62, undefined]);
  });

  it("returns what was put in, and how many", () => {
    fc.assert(
      fc.property(someTypes, (some) => {
        const mask = maskOf(WIDE, some);
        const back = placesOf(WIDE, mask).map((place) => types[place]!);
        expect(back).toEqual(types.filter((type) => some.includes(type)));
        expect([bitsIn(mask), settlerOf(WIDE, [1], WIDE.odds, 1).count(...halves(mask))]).toEqual([
          some.length,
          some.length,
        ]);
      }),
    );
  });

  it("is invalid where it is empty or names an option that the kind does not have", () => {
    for (const count of [1, 30, 31, 32, 62]) {
      const few = { ...WIDE, options: WIDE.options.slice(0, count) };
      const settler = settlerOf(few, [1], WIDE.odds, 1);
      const [all, beyond] = [2n ** BigInt(count) - 1n, 2n ** BigInt(count)];
      expect([isMask(few, all), isMask(few, beyond), isMask(few, 0n), isMask(few, -1n)]).toEqual([
        true,
        false,
        false,
        false,
      ]);
      expect([settler.count(...halves(all)), settler.count(...halves(beyond)), settler.count(0, 0)]).toEqual([
        count,
        0,
        0,
      ]);
    }
  });
});

describe("a bet's payout", () => {
  const floorTo = (step: number, paid: bigint) => (paid / BigInt(step)) * BigInt(step);
  const owed = (stake: number, mask: bigint, face: number, step: number) =>
    types.reduce((sum, _, place) => {
      const times = Math.max(0, ((face + place) % 6) - 2);
      const rate = [1_001 + place, 1_500, 1_700][times - 1];
      return rate && mask & (1n << BigInt(place)) ? sum + floorTo(step, (BigInt(stake) * BigInt(rate)) / 1_000n) : sum;
    }, 0n);

  it("is the floor of stake times rate for each option by itself, by its number of hits, on 63 options alike", () => {
    const steps = fc.constantFrom(1, 100);
    const stakes = fc.integer({ min: 1, max: MAX_UNITS }).map(fromUnits);
    fc.assert(
      fc.property(stakes, someTypes, fc.integer({ min: 1, max: 6 }), steps, (stake, some, face, step) => {
        const mask = maskOf(WIDE, some);
        const wanted = Number(owed(stake, mask, face, step));
        expect(payoutOf(WIDE, { stake, mask }, [face], WIDE.odds, step)).toBe(wanted);
        expect(settlerOf(WIDE, [face], WIDE.odds, step).payout(stake, ...halves(mask))).toBe(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is exact at the highest rate and the largest stake", () => {
    expect(payoutAt(fromUnits(1), 7_599, 1)).toBe(759);
    expect(BigInt(payoutAt(fromUnits(MAX_UNITS), MAX_RATE_MILLI, 1))).toBe((2n * 10n ** 11n * 4_500_000n) / 1_000n);
    expect(Number.isSafeInteger(MAX_UNITS * MAX_RATE_MILLI)).toBe(true);
  });

  it("is whole units where the unit has no decimals", () => {
    expect([payoutAt(fromUnits(7), 13_680, 1), payoutAt(fromUnits(7), 13_680, 100)]).toEqual([9_576, 9_500]);
    expect([payoutAt(fromUnits(1_000), 1_955, 100), payoutAt(fromUnits(1), 999, 100)]).toEqual([195_500, 0]);
    expect(payoutAt(fromUnits(MAX_UNITS), MAX_RATE_MILLI, 100)).toBe(payoutAt(fromUnits(MAX_UNITS), MAX_RATE_MILLI, 1));
  });

  it("is not a number where the odds lack the rate", () => {
    expect(settlerOf(WIDE, [5], [], 1).payout(100, 1, 0)).toBeNaN();
  });
});

describe("odds are refused when they are defined", () => {
  const changed = (place: number, rate: number) => WIDE.odds.map((one, i) => (i === place ? rate : one));
  const withOption = (over: Partial<Option>): Rules => ({ ...WIDE, options: [{ ...option(0), ...over }] });
  const ODDS = [1_001, 1_500, 1_700];

  it("unless they are of a playable game", () => {
    expect(() => assertOdds(WIDE, WIDE.odds)).not.toThrow();
    expect([rateCount(WIDE), ratesOf(WIDE, 1, WIDE.odds)]).toEqual([189, [1_002, 1_500, 1_700]]);
  });

  it.each([
    ["too few", WIDE.odds.slice(1), "has 189 rates, not 188"],
    ["too many", [...WIDE.odds, 1_000], "has 189 rates, not 190"],
    ["none", [], "has 189 rates, not 0"],
    ["a rate of nothing", changed(3, 0), "not a rate: 0"],
    ["a negative rate", changed(3, -1), "not a rate: -1"],
    ["a fraction", changed(3, 1_000.5), "not a rate: 1000.5"],
    ["no number", changed(3, Number.NaN), "not a rate: NaN"],
    ["a rate above the limit", changed(3, MAX_RATE_MILLI + 1), "not a rate: 4500001"],
    ["a return above the stake", changed(3, 5_000), "o1 returns more than its stake"],
  ])("%s", (_, odds, says) => {
    expect(() => assertOdds(WIDE, odds)).toThrow(says);
  });

  it.each<[string, Partial<Option>, string]>([
    ["an option without a chance", { times: () => 0 }, "an outcome that never occurs"],
    ["a rate that is never paid", { times: ([face]) => Number(face === 1) }, "an outcome that never occurs"],
    ["an option that falls more often than it has rates", { times: () => 4 }, "occurs 4 times"],
    ["an option that falls by halves", { times: () => 0.5 }, "occurs 0.5 times"],
    ["a code that the wire cannot carry", { type: "a,b" }, "not the code of an option: a,b"],
    ["a code that is too long", { type: "o12345678" }, "not the code of an option"],
    ["an option without a rate", { most: 0 }, "has 0 rates"],
  ])("%s", (_, over, says) => {
    expect(() => assertOdds(withOption(over), ODDS)).toThrow(says);
  });

  it("a code twice, no option at all, and one more than a mask holds", () => {
    const rules = (options: Option[]): Rules => ({ ...WIDE, options });
    expect(() => assertOdds(rules([option(0), option(0)]), [...ODDS, ...ODDS])).toThrow("has duplicate codes");
    expect(() => assertOdds(rules([]), [])).toThrow("has 0 options");
    expect(() => assertOdds(rules([...WIDE.options, option(63)]), [...WIDE.odds, ...ODDS])).toThrow("has 64 options");
  });

  it("a draw that could pay more than can be counted exactly", () => {
    const sure = Array.from({ length: 63 }, (_, place) => ({
      ...option(place),
      most: 1,
      times: ([first, ...rest]: readonly number[]) => Number(first === 1 && rest.every((face) => face === 1)),
    }));
    const rules: Rules = { ...WIDE, dice: 4, options: sure };
    const few = { ...rules, options: sure.slice(0, 30) };
    expect(() =>
      assertOdds(
        few,
        few.options.map(() => 1_296_000),
      ),
    ).not.toThrow();
    expect(() =>
      assertOdds(
        rules,
        sure.map(() => 1_296_000),
      ),
    ).toThrow("1,1,1,1 could pay");
  });

  it("a requested return above the stake", () => {
    expect(() => rateFor(1_001, option(0), 1)).toThrow(RangeError);
  });
});
