import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { assertOdds, chanceOf } from "#shared/lottery/odds.ts";
import { isDraw, maskOf, payoutOf, placesOf, rateCount, ratesOf, type Rules } from "#shared/lottery/rules.ts";
import { LOW_BITS, LOW_MASK, returningSettler, settlerOf } from "#shared/lottery/settler.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";
import { diceOfKind, KNOWN_KINDS, rollsOf, timesOf, viewOf } from "../../../support/recompute-kinds.ts";
import { dicer } from "../../../support/recompute.ts";

/** Bets paid by the pure rules; TRIES=10000000 for a long run. */
const TRIES = Number(process.env.TRIES ?? 20_000);

const halves = (mask: bigint) => [Number(mask & BigInt(LOW_MASK)), Number(mask >> BigInt(LOW_BITS))] as const;

/** In how many draws an option wins, and the sum of its payouts over all of them, in 1/1000. */
function returnOf(kind: string, rules: Rules, place: number) {
  const rates = ratesOf(rules, place, rules.odds);
  const all = rollsOf(kind).map((draw) => timesOf(kind, rules.options[place]!.type, draw));
  const falls = all.filter((times) => times > 0);
  return { falls: falls.length, returned: falls.reduce((sum, times) => sum + rates[times - 1]!, 0) };
}

it("every kind of game is computed here a second time", () => {
  expect([...GAME_KINDS.keys()].sort()).toEqual([...KNOWN_KINDS].sort());
  expect(() => rulesOf("no-such")).toThrow("there is no kind of game no-such");
});

describe.each(KNOWN_KINDS)("the rules of %s", (kind) => {
  const rules = rulesOf(kind);
  const draws = rollsOf(kind);
  const types = rules.options.map(({ type }) => type);

  /** floor(stake × rate) of every option that wins, in integers without bounds. */
  function owed(stake: number, mask: bigint, draw: readonly number[]): bigint {
    return placesOf(rules, mask).reduce((sum, place) => {
      const times = timesOf(kind, types[place]!, draw);
      return times ? sum + (BigInt(stake) * BigInt(ratesOf(rules, place, rules.odds)[times - 1]!)) / 1_000n : sum;
    }, 0n);
  }

  it("are valid", () => {
    expect(() => assertOdds(rules, rules.odds)).not.toThrow();
    expect([rules.kind, rules.dice, rules.odds.length]).toEqual([kind, diceOfKind(kind), rateCount(rules)]);
  });

  it("know every possible draw, each equally likely", () => {
    const texts = (some: readonly (readonly number[])[]) => some.map((draw) => draw.join()).sort();
    expect(texts(allDraws(rules.dice))).toEqual(texts(draws));
    for (const draw of draws) expect(isDraw(rules, draw)).toBe(true);
    for (const odd of [[], draws[0]!.slice(1), [...draws[0]!, 1], draws[0]!.map(() => 7), draws[0]!.map(() => 0.5)])
      expect(isDraw(rules, odd)).toBe(false);
  });

  it("make each draw of the same number of bytes: 252 are a die, four are skipped", () => {
    const bytes = (draw: readonly number[]) => draw.map((face) => 245 + face);
    for (const draw of draws) expect(rules.drawFrom([252, ...bytes(draw), 0])).toEqual(draw);
    expect(rules.drawFrom([255, 254, 253, 252, ...bytes(draws[0]!).slice(1)])).toBeNull();
  });

  it("let every option win as often as its name says, in every draw", () => {
    for (const draw of draws)
      for (const { type, times } of rules.options)
        expect([type, draw, times(draw)]).toEqual([type, draw, timesOf(kind, type, draw)]);
  });

  it("give every option a chance, shown exactly, and return less than the stake", () => {
    for (const [place, option] of rules.options.entries()) {
      const { falls, returned } = returnOf(kind, rules, place);
      const chance = chanceOf(option, ratesOf(rules, place, rules.odds), allDraws(rules.dice));
      expect([option.type, chance.probability]).toEqual([option.type, falls / draws.length]);
      expect(chance.rtp).toBeCloseTo(returned / 1_000 / draws.length, 12);
      expect(falls).toBeGreaterThan(0);
      // The rules sheet says that the house keeps the rest.
      expect(returned).toBeLessThan(1_000 * draws.length);
    }
  });

  it("pay every set of options as recomputed, by either way of paying", () => {
    const random = dicer(kind.length);
    const settlers = new Map(draws.map((draw) => [draw, settlerOf(rules, draw, rules.odds, 1)]));
    const wrong: string[] = [];
    for (let i = 0; i < TRIES; i++) {
      const chosen = types.filter(() => random() < 0.3);
      const mask = maskOf(rules, chosen.length ? chosen : [types[0]!]);
      const stake = fromUnits(1 + Math.floor(random() * 1_000));
      const draw = draws[Math.floor(random() * draws.length)]!;
      const wanted = Number(owed(stake, mask, draw));
      const paid = [
        settlers.get(draw)!.payout(stake, ...halves(mask)),
        payoutOf(rules, { stake, mask }, draw, rules.odds, 1),
      ];
      if (paid.some((one) => one !== wanted))
        wrong.push(`${chosen.join()} on ${draw.join()}: ${wanted}, ${paid.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it("pay the largest stake on every option as an exact safe integer", () => {
    const [stake, mask] = [fromUnits(MAX_UNITS), maskOf(rules, types)];
    for (const draw of draws) {
      expect(Number.isSafeInteger(payoutOf(rules, { stake, mask }, draw, rules.odds, 1))).toBe(true);
      const { payout } = settlerOf(rules, draw, rules.odds, 1);
      expect(BigInt(payout(stake, ...halves(mask)))).toBe(owed(stake, mask, draw));
    }
  });

  it("return every stake of a round that is never drawn", () => {
    const { payout, count } = returningSettler(rules);
    for (const chosen of [1, 2, types.length]) {
      const mask = halves(maskOf(rules, types.slice(0, chosen)));
      expect([payout(fromUnits(3), ...mask), count(...mask)]).toEqual([fromUnits(3 * chosen), chosen]);
    }
  });

  it("count the options of any mask, and none of a mask with an unknown one", () => {
    const { count } = settlerOf(rules, draws[0]!, rules.odds, 1);
    const all = (1n << BigInt(types.length)) - 1n;
    expect(count(...halves(all))).toBe(types.length);
    for (const place of types.keys()) {
      expect(count(...halves(1n << BigInt(place)))).toBe(1);
      expect(count(...halves(all ^ (1n << BigInt(place))))).toBe(types.length - 1);
    }
    expect(count(...halves(0n))).toBe(0);
    expect(count(...halves(1n << BigInt(types.length)))).toBe(0);
    expect(count(...halves(all + 2n))).toBe(0);
  });

  it("return less than the stake over all draws together, for any choice", () => {
    const chosen = fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_UNITS }).map(fromUnits), chosen, (stake, some) => {
        const paid = draws.reduce((sum, draw) => sum + owed(stake, maskOf(rules, some), draw), 0n);
        expect(paid <= BigInt(draws.length) * BigInt(stake) * BigInt(some.length)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("show a draw's sum, and size and parity where it has them", () => {
    for (const draw of draws) expect(rules.view(draw)).toEqual(viewOf(kind, draw));
  });
});

describe("these stored or public values never change:", () => {
  const typesOf = ({ options }: Rules) => options.map(({ type }) => type).join(" ");

  it.each([
    ["dice-sum", "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 A B C D"],
    [
      "dice-faces",
      `1-1-1 2-2-2 3-3-3 4-4-4 5-5-5 6-6-6 triple 1-1 2-2 3-3 4-4 5-5 6-6
       1-2 1-3 1-4 1-5 1-6 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6 5-6 1 2 3 4 5 6 distinct`.replace(/\s+/g, " "),
    ],
    ["dice-pair", "A B C D 2 3 4 5 6 7 8 9 10 11 12 double 1-1 2-2 3-3 4-4 5-5 6-6"],
  ])("the options of %s by their bits", (kind, types) => {
    expect(typesOf(rulesOf(kind))).toBe(types);
  });

  it("a face pays twice, three times and thirteen times its stake, as tables have it", () => {
    const rules = rulesOf("dice-faces");
    const face = rules.options.findIndex(({ type }) => type === "4");
    expect(ratesOf(rules, face, rules.odds)).toEqual([2_000, 3_000, 13_000]);
  });
});

describe.each(["dice-sum", "dice-pair"])("the colors of %s", (kind) => {
  const { options, view, dice } = rulesOf(kind);
  const colorOf = (name: string) => options.find(({ type }) => type === name)!.color;

  it("are those of big and small for a sum that is one, and of neither for seven between them", () => {
    const [big, small] = [colorOf("A"), colorOf("B")];
    expect(big).not.toBe(small);
    const wanted = { big: [big], small: [small] };
    for (const draw of allDraws(dice)) {
      const { sum, size } = view(draw);
      const found = [big, small].filter((color) => color === colorOf(String(sum)));
      expect([sum, found]).toEqual([sum, size ? wanted[size] : []]);
    }
  });
});

/** What comes back of 1000: members lose at most a twentieth, and the house keeps at least a fortieth. */
const HOUSE_RULE = { least: 950, most: 975 };

describe("the kinds that come with the project", () => {
  it.each(["dice-sum", "dice-faces", "dice-pair"])(
    "%s keeps the house's rule, except for the rounding of a rate",
    (kind) => {
      const rules = rulesOf(kind);
      const draws = rollsOf(kind).length;
      for (const place of rules.options.keys()) {
        const { falls, returned } = returnOf(kind, rules, place);
        expect(returned + falls).toBeGreaterThan(HOUSE_RULE.least * draws);
        expect(returned).toBeLessThanOrEqual(HOUSE_RULE.most * draws);
      }
    },
  );
});
