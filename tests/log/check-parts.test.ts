import { describe, expect, it } from "vitest";
import { drandCheck } from "#shared/log/check/drand-check.ts";
import { filledIn } from "#shared/log/check/finding.ts";
import { Game } from "#shared/log/check/game.ts";
import type { HeadTimes } from "#shared/log/check/head-times.ts";
import { HouseCheck } from "#shared/log/check/house-check.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { QUICKNET } from "#shared/lottery/beacon.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "#shared/time.ts";
import { QUICKNET_1000 } from "../support/drand-relay.ts";
import { checkContext } from "./check-context.ts";
import { KEY, ORIGIN } from "./honest-log.ts";
import { LEAF } from "./leaves.ts";
import { bytes, hexOf, serverHash, sha256 } from "./world.ts";

/* Each part of the check by itself, at the edges of what it allows. */

const T = Date.UTC(2026, 2, 20);
const GAME = "k3-1h";
const timetable = { periodS: 3_600, closeS: 3 };

it("a sentence keeps what no fact fills in", () => {
  expect(filledIn("{a} of {b}, {a}", { a: 1 })).toBe("1 of {b}, 1");
});

describe("seals", () => {
  const sealed = (number: number, before: string, at: number): Leaf<"seal"> => {
    const root = hexOf(sha256(bytes(`${number}`)));
    return { kind: "seal", number, root, seal: hexOf(serverHash(bytes(before + root))), at };
  };
  const closed = (bets: number, at: number): Leaf<"close"> => ({ ...LEAF.close, bets, closed: at });
  const house = () => {
    const parts = checkContext();
    return { ...parts, house: new HouseCheck(parts.context, KEY) };
  };
  const end = { origin: ORIGIN, key: KEY };
  /** Heads of each minute; the last one at this time. */
  function spoken(heads: HeadTimes, until: number) {
    for (let at = heads.last ?? T; at < until; at += MINUTE_MS) heads.add(at);
    heads.add(until);
  }

  it("wait ten minutes without a word, a day with a note, and are a problem then", () => {
    for (const [waited, ids] of [
      [10 * MINUTE_MS, []],
      [10 * MINUTE_MS + 1, ["seal-old"]],
      [DAY_MS, ["seal-old"]],
      [DAY_MS + 1, ["unsealed"]],
    ] as const) {
      const { house: check, heads, said } = house();
      heads.add(T);
      check.moved(closed(1, T));
      check.moved(closed(1, T + 5 * MINUTE_MS));
      spoken(heads, T + waited);
      check.end(end);
      expect(said).toEqual(ids.map((id) => [id, { time: toIso(T) }]));
    }
  });

  it("are not waited for longer than the log has spoken", () => {
    const { house: check, heads, ids } = house();
    heads.add(T);
    check.moved(closed(1, T));
    heads.add(T + 3 * DAY_MS);
    check.end(end);
    expect(ids()).toEqual([]);
    heads.add(T + 3 * DAY_MS + 1);
    check.end(end);
    expect(ids()).toEqual(["seal-old"]);
  });

  it("are not waited for longer than the log has spoken since", () => {
    const { house: check, heads, said } = house();
    heads.add(T);
    spoken(heads, T + 30 * MINUTE_MS);
    check.moved(closed(1, T + 30 * MINUTE_MS));
    heads.add(T + 3 * DAY_MS);
    check.end(end);
    expect(said).toEqual([]);
  });

  it("are not waited for before the money moved, by its own time", () => {
    const { house: check, heads, said } = house();
    heads.add(T);
    check.moved(closed(1, T + 30 * MINUTE_MS));
    spoken(heads, T + 40 * MINUTE_MS);
    check.end(end);
    expect(said).toEqual([]);
  });

  it("are due where money moved, by the first of what moved", () => {
    const { house: check, heads, said } = house();
    heads.add(T);
    check.moved(closed(0, T));
    check.moved({ ...LEAF.settle, payouts: 0, settled: T });
    spoken(heads, T + HOUR_MS);
    check.end(end);
    expect(said).toEqual([]);
    check.moved({ ...LEAF.settle, payouts: 1, settled: T + HOUR_MS });
    spoken(heads, T + 2 * HOUR_MS);
    check.end(end);
    expect(said).toEqual([["seal-old", { time: toIso(T + HOUR_MS) }]]);
  });

  it("cover what moved up to their time, and what an earlier head held", () => {
    for (const [at, heads, ids] of [
      [T, 0, []],
      [T - 1, 0, ["seal-old"]],
      [T - 1, 1, []],
    ] as const) {
      const { house: check, heads: times, ids: said } = house();
      times.add(T - MINUTE_MS);
      check.moved(closed(1, T));
      for (let i = 0; i < heads; i++) times.add(T + i);
      check.seal(sealed(1, "", at));
      spoken(times, T + HOUR_MS);
      check.end(end);
      expect(said()).toEqual(ids);
    }
  });

  it("follow each other by number and hash", () => {
    const first = sealed(7, "", T);
    const { house: check, said, ids } = house();
    check.seal(first);
    const second = sealed(8, first.seal, T);
    check.seal(second);
    expect(said).toEqual([]);
    check.seal({ ...sealed(9, first.seal, T) });
    expect(said.splice(0)).toEqual([["seal-link", { number: 9 }]]);
    check.seal(sealed(9, second.seal, T));
    expect(said.splice(0)).toEqual([["seal-number", { number: 9, before: 9 }]]);
    check.seal(sealed(11, sealed(9, second.seal, T).seal, T));
    expect(ids()).toEqual(["seal-number"]);
  });
});

it("each head is younger than the one before, and a silence is noted", () => {
  const { context, said } = checkContext();
  const house = new HouseCheck(context, KEY);
  const heads = [T, T + 1, T + 1, T, T + 10 * MINUTE_MS + 1, T + 20 * MINUTE_MS + 2];
  for (const time of heads) house.time({ kind: "time", time });
  const back = (time: number) => ["time-back", { time: toIso(time), before: toIso(T + 1) }];
  const silent = { before: toIso(T + 10 * MINUTE_MS + 1), time: toIso(T + 20 * MINUTE_MS + 2) };
  expect(said).toEqual([back(T + 1), back(T), ["silent", silent]]);
});

it("a log goes on where it was restored in its first leaf, and nowhere else", () => {
  const { context, said, ids } = checkContext();
  const house = new HouseCheck(context, KEY);
  house.restore(LEAF.restore, 0);
  expect(said.splice(0)).toMatchObject([["restored", { number: LEAF.restore.number, kept: LEAF.restore.kept }]]);
  house.restore(LEAF.restore, 1);
  expect(ids()).toEqual(["restore-inside"]);
});

it("the first key is one, and of its origin", () => {
  for (const [origin, key, ids] of [
    [ORIGIN, KEY, []],
    [ORIGIN, "x", ["first-key"]],
    ["other.example/log", KEY, ["first-key"]],
  ] as const) {
    const { context, ids: said } = checkContext();
    new HouseCheck(context, key).end({ origin, key });
    expect(said()).toEqual(ids);
  }
});

describe("keys", () => {
  const change = (batch: number, old: string, next: string): Leaf<"key"> => ({ ...LEAF.key, batch, old, next });

  it("replace each other in the order of their batches, from the first one on", () => {
    const { context, said } = checkContext();
    const house = new HouseCheck(context, KEY);
    house.key(change(0, "a", "b"), 3);
    house.key(change(7, "b", "c"), 4);
    house.key(change(7, "c", "d"), 5);
    expect([said.splice(0), house.keys]).toEqual([[], ["a", "b", "c", "d"]]);
    expect(house.changes.map(({ place }) => place)).toEqual([3, 4, 5]);
    house.key(change(6, "d", "e"), 6);
    house.key(change(6, "d", "f"), 7);
    house.key(change(6, "f", "a"), 8);
    expect(said).toEqual([
      ["batch-back", { leaf: 6, batch: 6 }],
      ["key-chain", { leaf: 7 }],
      ["key-again", { leaf: 8 }],
    ]);
  });
});

describe("gaps of a game", () => {
  const game = () => {
    const made = new Game(GAME, serverHash);
    made.timetable = timetable;
    return made;
  };

  it("cover ranges in any order, and what they leave is found first to last", () => {
    const made = game();
    expect(made.uncovered({ from: 3, to: 9 })).toEqual({ from: 3, to: 9 });
    made.gaps.push({ from: 6, to: 7 }, { from: 3, to: 4 });
    expect(made.uncovered({ from: 3, to: 9 })).toEqual({ from: 5, to: 5 });
    expect(made.uncovered({ from: 6, to: 9 })).toEqual({ from: 8, to: 9 });
    expect(made.uncovered({ from: 3, to: 4 })).toBe(null);
    made.gaps.push({ from: 5, to: 5 });
    expect(made.uncovered({ from: 3, to: 7 })).toBe(null);
    expect(made.uncovered({ from: 4, to: 8 })).toEqual({ from: 8, to: 8 });
    made.gaps.push({ from: 12, to: 20 });
    expect(made.uncovered({ from: 8, to: 30 })).toEqual({ from: 8, to: 11 });
    expect(made.uncovered({ from: 8, to: 9 })).toEqual({ from: 8, to: 9 });
    expect([2, 3, 7, 8, 12, 20, 21].map((at) => made.isInGap(at))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it("and its modes act from their rounds on", () => {
    const made = game();
    expect(made.modeAt(5)).toBe("none");
    made.modes.push({ from: 5, mode: "a" }, { from: 9, mode: "b" });
    expect([4, 5, 8, 9, 10].map((at) => made.modeAt(at))).toEqual(["none", "a", "a", "b", "b"]);
  });

  it("has no ordinals before it has a timetable", () => {
    const made = new Game(GAME, serverHash);
    expect(made.ordinal("20260302-0001")).toBe(null);
    made.timetable = timetable;
    expect(made.name(made.ordinal("20260302-0001")! + 24)).toBe("20260303-0001");
    expect(made.day("20260302")).toBe(made.at("20260302-0007").marks);
    expect(["0007", "1234"].map((number) => made.at(`20260302-${number}`).number)).toEqual([7, 1_234]);
  });
});

describe("the check of a beacon", () => {
  const { round, signature, randomness, signedAt: due } = QUICKNET_1000;
  const check = drandCheck([QUICKNET]);
  const rule = `drand:${QUICKNET.hash}:${round}`;
  const strange = `drand:${"ab".repeat(32)}:${round}`;
  const [, ...digits] = signature;

  it("knows the rules of its chains alone", () => {
    expect([rule, "none", strange].map((one) => check.signedAt(one))).toEqual([due, null, null]);
    expect([2_999, 3_000, 5_999, 6_000].map((ms) => check.namesFirst(rule, due - ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(check.namesFirst(strange, due - 3_000)).toBe(false);
  });

  it("tells genuine signatures from others", () => {
    const beacons = [
      { rule, signature },
      { rule: "none", signature },
      { rule: strange, signature },
      { rule, signature: digits.join("") },
      { rule: `drand:${QUICKNET.hash}:${round + 1}`, signature },
    ];
    expect(check.areSigned(beacons)).toEqual([true, false, false, false, false]);
  });

  it("takes the beacon that its rule names, at the times that fit", () => {
    const drawn = { rule, beacon: randomness, signature, closes: due - 3_000, due: due + 5_000 };
    expect(check.fits(drawn)).toBe(true);
    expect(check.fits({ ...drawn, beacon: "ab".repeat(32) })).toBe(false);
    expect(check.fits({ ...drawn, closes: due - 2_999 })).toBe(false);
  });
});
