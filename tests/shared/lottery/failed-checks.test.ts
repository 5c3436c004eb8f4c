import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { chainOfDay, commitOf, drawOf, failedChecks, seedOf, type DrawnRound } from "#shared/lottery/fairness.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { QUICKNET, ruleOf } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { QUICKNET_1000 } from "../../support/drand-relay.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { diceFrom } from "../../support/recompute.ts";

const RULES = rulesOf("dice-sum");
const odds = oddsRecord(RULES, RULES.odds, { game: "k3-1m", id: "1", period: 60, close: 3, unit: "point", from: 0 });
const chain = chainOfDay(new Uint8Array(32).fill(7), 1_440);
const anchor = bytesToHex(seedOf(chain, 0));

const NONE = { rule: "none", beacon: "", signature: "", closes: 57_000, due: 60_000 };

/** A round as an honest server shows it, drawn with the seed of `index`. */
function drawn(number: number, index = number): DrawnRound {
  const seed = seedOf(chain, index);
  const round = roundText({ day: 20_514, number });
  const dice = drawOf(RULES, seed, { gameKey: "k3-1m", round, ...NONE });
  const place = { gameKey: "k3-1m", kind: RULES.kind, round, index };
  return { ...place, ...NONE, commit: commitOf(seed), seed: bytesToHex(seed), dice, anchor, odds };
}

const genuine = drawn(77);
/** The text with one hex digit changed. */
const bent = (hex: string) => `${hex.slice(0, 9)}${hex[9] === "0" ? "1" : "0"}${hex.slice(10)}`;

describe("checking a draw from public data", () => {
  it("finds nothing wrong with a genuine round, including the first and last of the day", () => {
    for (const number of [1, 2, 77, 1_440]) expect(failedChecks(drawn(number))).toEqual([]);
  });

  it("detects every other roll of the dice", () => {
    for (let roll = 0; roll < 216; roll++) {
      const dice = [(roll % 6) + 1, (Math.floor(roll / 6) % 6) + 1, Math.floor(roll / 36) + 1];
      const expected = dice.join() === genuine.dice.join() ? [] : ["dice"];
      expect(failedChecks({ ...genuine, dice })).toEqual(expected);
    }
    expect(failedChecks({ ...genuine, dice: [] })).toEqual(["dice"]);
    expect(failedChecks({ ...genuine, dice: [...genuine.dice, 1] })).toEqual(["dice"]);
  });

  it("names a broken commitment", () => {
    expect(failedChecks({ ...genuine, commit: bent(genuine.commit) })).toEqual(["commit"]);
  });

  it("names the anchor that the seed does not lead to", () => {
    expect(failedChecks({ ...genuine, anchor: bent(genuine.anchor) })).toEqual(["anchor"]);
    expect(failedChecks({ ...genuine, anchor: "" })).toEqual(["anchor"]);
  });

  it("names all three when the seed is another", () => {
    expect(failedChecks({ ...genuine, seed: bent(genuine.seed) })).toEqual(["commit", "anchor", "dice"]);
  });

  it("names all three when the seed is not 32 bytes of lower-case hex", () => {
    for (const seed of ["", "zz", genuine.seed.toUpperCase(), genuine.seed.slice(2), `${genuine.seed}00`])
      expect(failedChecks({ ...genuine, seed })).toEqual(["commit", "anchor", "dice"]);
  });

  it("names a beacon that the rule does not allow, and never mixes it in", () => {
    for (const beacon of ["00", " ", "none", "chosen"])
      expect(failedChecks({ ...genuine, beacon })).toEqual(["beacon"]);
    const mixed = diceFrom(genuine.seed, `k3-1m:${genuine.round}:chosen`);
    expect(mixed).not.toEqual(genuine.dice);
    expect(failedChecks({ ...genuine, beacon: "chosen", dice: mixed })).toEqual(["beacon", "dice"]);
    expect(failedChecks({ ...genuine, dice: mixed })).toEqual(["dice"]);
    expect(failedChecks({ ...genuine, beacon: "00", seed: "zz" })).toEqual(["commit", "anchor", "beacon", "dice"]);
  });

  it("allows nothing under a rule that it does not know, not even an empty beacon", () => {
    for (const rule of ["", "None", "none ", "drand:quicknet:1000"])
      for (const beacon of ["", "00"]) expect(failedChecks({ ...genuine, rule, beacon })).toEqual(["beacon"]);
  });

  it("names odds that are missing, cut short, in another order, or not what their hash says", () => {
    const [first, second, ...rest] = odds.options;
    const dear = { ...first!, milli: [1_000_000], pays: ["1000"] };
    for (const options of [[], rest, [second!, first!, ...rest], [dear, second!, ...rest]])
      expect(failedChecks({ ...genuine, odds: { ...odds, options } })).toEqual(["odds"]);
    expect(failedChecks({ ...genuine, odds: { ...odds, hash: bent(odds.hash) } })).toEqual(["odds"]);
    expect(failedChecks({ ...genuine, odds: null })).toEqual(["odds"]);
  });

  it("detects a round or a game that the dice were not drawn for", () => {
    expect(failedChecks({ ...genuine, gameKey: "k3-3m" })).toEqual(["dice", "odds"]);
    // The odds are another kind's too.
    expect(failedChecks({ ...genuine, kind: "dice-pair" })).toEqual(["dice", "odds"]);
    expect(failedChecks({ ...genuine, kind: "no-such" })).toEqual(["dice", "odds"]);
    expect(failedChecks({ ...genuine, round: "20260303-0077" })).toEqual(["dice"]);
    expect(failedChecks({ ...genuine, round: "20260302-0078" })).toEqual(["anchor", "dice"]);
    expect(failedChecks({ ...genuine, round: "nonsense" })).toEqual(["anchor", "dice"]);
  });

  it("detects an index that is not the round's own", () => {
    for (const index of [0, 76, 78, -1, 1e15, Number.NaN])
      expect(failedChecks({ ...genuine, index })).toEqual(["anchor"]);
  });

  it("detects a made-up seed, whatever commitment and dice were published to match", () => {
    const seed = bytesToHex(new Uint8Array(32).fill(9));
    const dice = drawOf(RULES, hexToBytes(seed), genuine);
    expect(failedChecks({ ...genuine, seed, dice, commit: commitOf(hexToBytes(seed)) })).toEqual(["anchor"]);
  });

  it("detects the seed of another round of the day, though it leads to the anchor", () => {
    const index = fc.integer({ min: 1, max: 1_440 }).filter((index) => index !== 77);
    fc.assert(
      fc.property(index, (index) => {
        expect(failedChecks(drawn(77, index))).toEqual(["anchor"]);
        expect(failedChecks({ ...drawn(77, index), index: 77 })).toEqual(["anchor"]);
      }),
    );
  });
});

describe("a draw beside its opening in the log", () => {
  const draws = 20_514 * 86_400_000 + 77 * 60_000;
  const shown = { ...genuine, closes: draws - 3_000, due: draws };
  const opening: Leaf<"open"> = {
    kind: "open",
    game: "k3-1m",
    round: genuine.round,
    rules: RULES.kind,
    period: 60,
    unit: "point",
    commit: genuine.commit,
    odds: odds.id,
    odds_hash: odds.hash,
    beacon_rule: "none",
    opens: draws - 60_000,
    closes: shown.closes,
    draws,
  };
  const PAST = { rule: ruleOf({ chain: QUICKNET.hash, round: 1_000 }), beacon: QUICKNET_1000.randomness };

  it("is genuine where it says the same, at the times of its place", () => {
    expect(failedChecks({ ...shown, opening })).toEqual([]);
    expect(failedChecks({ ...shown, opening: null })).toEqual([]);
  });

  it("is not with a beacon of the past, whatever close it shows, of which the opening says nothing", () => {
    const closes = QUICKNET_1000.signedAt - 3_000;
    const dice = drawOf(RULES, hexToBytes(shown.seed), { gameKey: "k3-1m", round: shown.round, ...PAST });
    const drawn = { ...shown, ...PAST, signature: QUICKNET_1000.signature, closes, dice };
    expect(failedChecks(drawn, QUICKNET_BEACONS)).toEqual([]);
    expect(failedChecks({ ...drawn, opening }, QUICKNET_BEACONS)).toEqual(["beacon"]);
  });

  it.each<[string, string[], Partial<Leaf<"open">>]>([
    ["another commit", ["commit"], { commit: bent(genuine.commit) }],
    ["another beacon", ["beacon"], { beacon_rule: PAST.rule }],
    ["another close", ["beacon"], { closes: shown.closes - 1_000 }],
    ["another draw", ["beacon"], { draws: draws + 60_000 }],
    ["another kind", ["dice"], { rules: "two-dice" }],
    ["other odds", ["odds"], { odds_hash: bent(odds.hash) }],
    ["another period", ["beacon"], { period: 300 }],
  ])("is not where the log has the round opened with %s", (_, failed, more) => {
    expect(failedChecks({ ...shown, opening: { ...opening, ...more } })).toEqual(failed);
  });

  it("is not where the opening itself has other times than those of its odds", () => {
    const closes = shown.closes - 1_000;
    expect(failedChecks({ ...shown, closes, opening: { ...opening, closes } })).toEqual(["beacon"]);
  });
});
