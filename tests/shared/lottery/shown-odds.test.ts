import { describe, expect, it } from "vitest";
import { allDraws } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { oddsRecord, type OddsRecord } from "#shared/lottery/odds-record.ts";
import { falseReturns, oddsFaults, type PublishedOdds } from "#shared/lottery/shown-odds.ts";

const KIND = "dice-sum";
const rules = rulesOf(KIND);
const TERMS = { game: "k3-1m", id: "1", period: 60, close: 3, unit: "point", from: 0 };
const RECORD = oddsRecord(rules, rules.odds, TERMS);
const PUBLISHED: PublishedOdds[] = RECORD.options.map(({ type, pays, milli }, place) => ({
  type,
  pays,
  ...chanceOf(rules.options[place]!, milli, allDraws(rules.dice)),
}));
/** The last option as it is shown, and the others as they are. */
const shownWith = (change: Partial<PublishedOdds>) => [...PUBLISHED.slice(0, -1), { ...PUBLISHED.at(-1)!, ...change }];
const { type, rtp, probability } = PUBLISHED.at(-1)!;

const RETURNS: [number, boolean][] = [
  [rtp + 2e-9, true],
  [rtp + 5e-10, false],
  [rtp - 5e-10, false],
  [rtp - 2e-9, true],
  [-rtp, true],
  [0, true],
];

describe("odds that a board showed", () => {
  it("are those of the round, each option's pays and return", () => {
    expect(oddsFaults(PUBLISHED, KIND, RECORD)).toEqual([]);
    expect(oddsFaults(shownWith({ pays: ["9.9"] }), KIND, RECORD)).toEqual(["odds"]);
    expect(oddsFaults(shownWith({ pays: ["9.9"], rtp: 9 }), KIND, RECORD)).toEqual(["odds", "return"]);
  });

  it.each(RETURNS)("with a return of %d are false: %s", (other, isFalse) => {
    expect(oddsFaults(shownWith({ rtp: other }), KIND, RECORD)).toEqual(isFalse ? ["return"] : []);
  });

  it("have no option beside those of the game", () => {
    expect(oddsFaults([{ type: "Z", pays: [], rtp: 0 }], KIND, RECORD)).toEqual(["odds", "return"]);
  });

  it.each<[string, string, OddsRecord]>([
    ["of a kind that is not known here", "newer", RECORD],
    ["whose round names odds with another hash", KIND, { ...RECORD, hash: "0".repeat(64) }],
  ])("%s cannot be judged", (_, kind, record) => {
    expect(oddsFaults(shownWith({ pays: ["9.9"] }), kind, record)).toEqual([]);
  });
});

describe("published odds", () => {
  it("give the published chance and return", () => {
    expect(falseReturns(PUBLISHED, KIND)).toEqual([]);
  });

  it.each(RETURNS)("do not give a return of %d: %s", (other, isFalse) => {
    expect(falseReturns(shownWith({ rtp: other }), KIND)).toEqual(isFalse ? [type] : []);
  });

  it("do not give another chance, nor pay what is no number", () => {
    expect(falseReturns(shownWith({ probability: probability + 1e-3 }), KIND)).toEqual([type]);
    expect(falseReturns(shownWith({ pays: ["much"] }), KIND)).toEqual([type]);
  });

  it("are left out where the kind or the option is not known here", () => {
    expect(falseReturns(shownWith({ rtp: 9 }), "newer")).toEqual([]);
    expect(falseReturns(shownWith({ type: "Z", rtp: 9 }), KIND)).toEqual([]);
  });
});
