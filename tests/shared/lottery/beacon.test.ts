import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allowsBeacon,
  drandMode,
  drandRule,
  isBeaconGenuine,
  isBeaconSigned,
  modeAt,
  namedBeacon,
  newestAt,
  NOTHING_SIGNED,
  QUICKNET,
  randomnessOf,
  ruleOf,
  ruleUnder,
  signedAt,
  timetableUnder,
} from "#shared/lottery/beacon.ts";
import { beaconsOf, QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { ownChain, QUICKNET_1000 } from "../../support/drand-relay.ts";

const { round, signature, randomness, signedAt: at } = QUICKNET_1000;
const named = { chain: QUICKNET.hash, round };
const own = ownChain();

describe("drand's quicknet", () => {
  it("signed round 1000, and no other text with that signature", () => {
    const { isSigned } = QUICKNET_BEACONS;
    expect(isSigned(named, signature)).toBe(true);
    expect(isSigned({ ...named, round: 1_001 }, signature)).toBe(false);
    expect(isSigned({ ...named, round: 999 }, signature)).toBe(false);
    expect(isSigned({ ...named, chain: own.hash }, signature)).toBe(false);
    expect(isSigned(named, own.sign(round))).toBe(false);
  });

  it("takes nothing that is no point of the curve for a signature", () => {
    const { isSigned } = QUICKNET_BEACONS;
    const bent = [
      "",
      "00".repeat(48),
      "ff".repeat(48),
      `c0${"00".repeat(47)}`,
      signature.slice(2),
      `${signature}00`,
      signature.toUpperCase(),
      `a${signature.slice(1)}`,
      `${signature.slice(0, -1)}8`,
    ];
    for (const text of bent) expect(isSigned(named, text)).toBe(false);
  });

  it("gives the randomness that drand publishes for that round", () => {
    expect(randomnessOf(signature)).toBe(randomness);
  });

  it("signs every three seconds since its first round", () => {
    expect(signedAt(QUICKNET, 1)).toBe(1_692_803_367_000);
    expect(signedAt(QUICKNET, round)).toBe(at);
    expect([at - 1, at, at + 2_999, at + 3_000].map((ms) => newestAt(QUICKNET, ms))).toEqual([
      999, 1_000, 1_000, 1_001,
    ]);
    expect(newestAt(QUICKNET, 0)).toBe(0);
  });
});

describe("a round's rule", () => {
  const mode = drandMode(QUICKNET);

  it("names the first beacon that is signed at least three seconds after the close", () => {
    expect(drandRule(QUICKNET, at - 3_000)).toBe(`${mode}:1000`);
    expect(drandRule(QUICKNET, at - 5_999)).toBe(`${mode}:1000`);
    expect(drandRule(QUICKNET, at - 6_000)).toBe(`${mode}:999`);
    expect(drandRule(QUICKNET, at - 2_999)).toBe(`${mode}:1001`);
    fc.assert(
      fc.property(fc.integer({ min: QUICKNET.genesisS * 1_000, max: 4e12 }), (closes) => {
        const next = namedBeacon(drandRule(QUICKNET, closes))!.round;
        expect(signedAt(QUICKNET, next)).toBeGreaterThanOrEqual(closes + 3_000);
        expect(signedAt(QUICKNET, next - 1)).toBeLessThan(closes + 3_000);
      }),
    );
  });

  it("follows the mode of its place, and an unknown chain has none", () => {
    const changes = [
      { from: 10, mode },
      { from: 20, mode: "none" },
      { from: 30, mode },
    ];
    expect([9, 10, 19, 20, 29, 30].map((place) => modeAt(changes, place))).toEqual([
      "none",
      mode,
      mode,
      "none",
      "none",
      mode,
    ]);
    expect(ruleUnder("none", at, [])).toBe("none");
    expect(ruleUnder(mode, at - 3_000, [QUICKNET])).toBe(`${mode}:1000`);
    expect(ruleUnder(drandMode(own), at, [QUICKNET])).toBeUndefined();
  });

  it("closes betting eight seconds before the draw, or when the game does if that is earlier", () => {
    expect(timetableUnder("none", { periodS: 60, closeS: 3 }).closeS).toBe(3);
    expect(timetableUnder(mode, { periodS: 60, closeS: 3 }).closeS).toBe(8);
    expect(timetableUnder(mode, { periodS: 60, closeS: 20 }).closeS).toBe(20);
  });

  it("is read strictly", () => {
    expect(namedBeacon(`${mode}:1000`)).toEqual(named);
    const false_ = [
      "none",
      mode,
      `${mode}:0`,
      `${mode}:01`,
      `${mode}:-1`,
      `${mode}: 1`,
      `${mode}:1000 `,
      "drand:quicknet:1",
    ];
    for (const rule of false_) expect(namedBeacon(rule)).toBeNull();
  });
});

describe("a beacon", () => {
  const rule = `${drandMode(QUICKNET)}:1000`;
  const genuine = { rule, beacon: randomness, signature, closes: at - 3_000, due: at + 5_000 };

  it("is genuine if its chain signed what the rule names", () => {
    expect(isBeaconGenuine(genuine, QUICKNET_BEACONS)).toBe(true);
    expect(isBeaconGenuine({ ...genuine, closes: at - 5_999 }, QUICKNET_BEACONS)).toBe(true);
  });

  it.each([
    ["the rule names another round than the first after the close", { closes: at - 6_000 }],
    ["the beacon was public before the close", { closes: at + 3_000, due: at + 11_000 }],
    ["betting closed too shortly before the draw", { due: at + 4_999 }],
    ["the beacon is not what the signature gives", { beacon: randomness.replace("f", "0") }],
    ["the signature is another chain's", { signature: own.sign(1_000), beacon: randomnessOf(own.sign(1_000)) }],
    ["nothing was signed", { signature: "", beacon: "" }],
    ["the rule is of an unknown chain", { rule: `${drandMode(own)}:1000` }],
    ["the rule is none", { rule: "none" }],
  ])("is not, if %s", (_, change) => {
    expect(isBeaconGenuine({ ...genuine, ...change }, QUICKNET_BEACONS)).toBe(false);
  });

  it("is never genuine where nothing can check it", () => {
    expect(isBeaconGenuine(genuine, NOTHING_SIGNED)).toBe(false);
    expect(isBeaconGenuine(genuine, beaconsOf())).toBe(false);
    const none = { rule: "none", beacon: "", signature: "", closes: 0, due: 0 };
    expect(isBeaconGenuine(none, NOTHING_SIGNED)).toBe(true);
  });

  it("is signed where the rule allows it, and the chain signed the round that the rule names", () => {
    const drawn = { rule, beacon: randomness, signature };
    const later = { ...drawn, rule: ruleOf({ chain: QUICKNET.hash, round: round + 1 }) };
    const isSigned = [drawn, later, { ...drawn, beacon: "" }, { rule: "none", beacon: "", signature: "" }].map((one) =>
      isBeaconSigned(one, QUICKNET_BEACONS),
    );
    expect(isSigned).toEqual([true, false, false, true]);
  });

  it("is refused beside a rule that allows none", () => {
    expect(allowsBeacon({ rule: "none", beacon: "", signature })).toBe(false);
    expect(allowsBeacon({ rule: "none", beacon: randomness, signature: "" })).toBe(false);
    expect(allowsBeacon({ rule, beacon: "", signature: "" })).toBe(false);
    expect(allowsBeacon({ rule, beacon: randomness, signature })).toBe(true);
  });
});
