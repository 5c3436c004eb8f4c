import { describe, expect, it } from "vitest";
import { mostLate } from "#shared/log/check/dates.ts";
import { HashSet } from "#shared/log/check/hash-set.ts";
import { HeadTimes } from "#shared/log/check/head-times.ts";
import { DayMarks, MARK } from "#shared/log/check/round-marks.ts";
import { WaitingBeacons } from "#shared/log/check/waiting-beacons.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { chainOfDay, seedOf } from "#shared/lottery/fairness.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { hashFor, LEAF } from "./leaves.ts";
import { bytes, hexOf, serverHash, sha256 } from "./world.ts";

const T = Date.UTC(2026, 2, 2);

describe("the times of heads", () => {
  it("are the first, the latest, how many, and for how long the log has spoken", () => {
    const heads = new HeadTimes();
    expect([heads.first, heads.last, heads.count, heads.spokenMs, heads.silence]).toEqual([null, null, 0, 0, null]);
    for (const at of [T, T + MINUTE_MS, T + 30 * SECOND_MS, T + 2 * MINUTE_MS]) heads.add(at);
    expect([heads.first, heads.last, heads.count]).toEqual([T, T + 2 * MINUTE_MS, 4]);
    expect(heads.spokenMs).toBe(2 * MINUTE_MS);
    heads.add(T + 62 * MINUTE_MS);
    expect([heads.last, heads.spokenMs]).toEqual([T + 62 * MINUTE_MS, 12 * MINUTE_MS]);
  });

  it("are silent for more than ten minutes, and not for ten", () => {
    const heads = new HeadTimes();
    expect(heads.add(T)).toBe(null);
    expect(heads.add(T + 10 * MINUTE_MS)).toBe(null);
    expect(heads.silence).toBe(null);
    const silence = { from: T + 10 * MINUTE_MS, to: T + 20 * MINUTE_MS + 1 };
    expect(heads.add(silence.to)).toEqual(silence);
    expect(heads.add(silence.to + 1)).toBe(null);
    expect(heads.silence).toEqual(silence);
  });

  it("are told once to what waits for them", () => {
    const heads = new HeadTimes();
    const told: [string, number][] = [];
    heads.onHead((at) => {
      told.push(["first", at]);
      heads.onHead((later) => told.push(["second", later]));
    });
    for (const at of [T, T + 1, T + 2]) heads.add(at);
    expect(told).toEqual([
      ["first", T],
      ["second", T + 1],
    ]);
  });
});

/** What is said of a leaf's date, between heads before it and the one that holds it. */
function datedAfter(before: readonly number[], at: number, holds: number, { within = MINUTE_MS, shown = 0 } = {}) {
  const heads = new HeadTimes();
  for (const time of before.slice(0, 1)) heads.add(time);
  if (shown) heads.shown(shown);
  for (const time of before.slice(1)) heads.add(time);
  const told: [string, number][] = [];
  heads.onDated(at, within, (...dated) => told.push(dated));
  heads.add(holds);
  expect(told.map(([, time]) => time)).toEqual([holds]);
  return told[0]![0];
}

describe("a leaf's date", () => {
  const HEAD = T + 3 * MINUTE_MS;
  const steady = [T, T + MINUTE_MS, T + 2 * MINUTE_MS];
  const last = steady[2]!;

  it("is in time in the first head, and up to what is allowed before the head that holds it", () => {
    expect(datedAfter([], T - DAY_MS, T)).toBe("in time");
    expect(datedAfter(steady, last - 10 * MINUTE_MS, HEAD, { within: 11 * MINUTE_MS })).toBe("in time");
    expect(datedAfter(steady, last - 10 * MINUTE_MS - 1, HEAD, { within: 11 * MINUTE_MS })).toBe("back");
  });

  it("is in time up to thirty seconds before the head before", () => {
    expect(datedAfter(steady, last - 30 * SECOND_MS, HEAD, { within: 0 })).toBe("in time");
    expect(datedAfter(steady, last - 30 * SECOND_MS - 1, HEAD, { within: 0 })).toBe("back");
  });

  it("is explained by a silence, as far as that reaches", () => {
    const silent = [T, T + MINUTE_MS, T + 31 * MINUTE_MS];
    const at = T + MINUTE_MS;
    const holds = T + 32 * MINUTE_MS;
    expect(datedAfter(silent, at, holds)).toBe("clock");
    expect(datedAfter(silent, at - MINUTE_MS, holds)).toBe("clock");
    expect(datedAfter(silent, at - MINUTE_MS - 1, holds)).toBe("back");
    expect(datedAfter([...silent, T + 50 * MINUTE_MS], at - MINUTE_MS, T + 51 * MINUTE_MS)).toBe("clock");
    expect(
      datedAfter([...silent, T + 32 * MINUTE_MS, T + 33 * MINUTE_MS], T + 31 * MINUTE_MS, T + 34 * MINUTE_MS),
    ).toBe("back");
  });

  it("is explained by a clock that was set back: heads follow each other within less than a second", () => {
    expect(datedAfter(steady, T, last + 999)).toBe("clock");
    expect(datedAfter(steady, T, last + SECOND_MS)).toBe("back");
  });

  it("is not explained where a beacon has shown what the time was", () => {
    const silent = [T, T + MINUTE_MS, T + 31 * MINUTE_MS];
    const holds = T + 32 * MINUTE_MS;
    const shown = T + 10 * MINUTE_MS;
    // A steady minute passed since the beacon was shown, and a silence that may be a clock's.
    const least = shown + MINUTE_MS;
    expect(datedAfter(silent, least - MINUTE_MS, holds, { shown })).toBe("clock");
    expect(datedAfter(silent, least - MINUTE_MS - 1, holds, { shown })).toBe("back");
  });

  it("is compared with the latest beacon, and with how time went on in steady heads of ninety seconds at most", () => {
    const heads = new HeadTimes();
    heads.add(T);
    heads.shown(T + 20 * MINUTE_MS);
    heads.shown(T + 10 * MINUTE_MS);
    heads.add(T + 90 * SECOND_MS);
    heads.add(T + 180 * SECOND_MS + 1);
    heads.add(T + 180 * SECOND_MS);
    heads.add(T + 3 * 60 * MINUTE_MS);
    const least = T + 20 * MINUTE_MS + 90 * SECOND_MS;
    const told: string[] = [];
    for (const at of [least - 1, least]) heads.onDated(at, 0, (dated) => told.push(dated));
    heads.add(T + 3 * 60 * MINUTE_MS + 1);
    expect(told).toEqual(["back", "clock"]);
  });
});

describe("how late a leaf may be in a head", () => {
  const timetable = { periodS: 60, closeS: 3 };
  /** Acts from the round that opens two minutes after the day begins. */
  const pause = (at: number): Leaf<"pause"> => ({ ...LEAF.pause, from: "20260302-0003", at });
  const opens = T + 2 * MINUTE_MS;

  it("is two minutes for what is announced, and never after its round opens", () => {
    expect(mostLate(pause(opens - 3 * MINUTE_MS), timetable)).toBe(2 * MINUTE_MS);
    expect(mostLate(pause(opens - 90 * SECOND_MS), timetable)).toBe(90 * SECOND_MS);
    expect(mostLate(pause(opens), timetable)).toBe(0);
    expect(mostLate(pause(opens + 1), timetable)).toBe(0);
    expect(mostLate(pause(opens + 1), null)).toBe(2 * MINUTE_MS);
  });

  it("is half an hour for stakes that go back", () => {
    expect(mostLate(LEAF.refund, timetable)).toBe(30 * MINUTE_MS);
    expect(mostLate(LEAF.refund, null)).toBe(30 * MINUTE_MS);
  });
});

describe("a set of hashes", () => {
  it("knows each that it met, however many, and no other", () => {
    const set = new HashSet();
    const [ofZero, ofOne] = [new Uint8Array(8).fill(7, 4), new Uint8Array(8).fill(7, 0, 4)];
    ofOne[7] = 1;
    const hashes = [ofZero, ofOne, ...Array.from({ length: 5_000 }, (_, i) => sha256(bytes(String(i))))];
    expect(hashes.map((hash) => set.add(hash)).filter(Boolean)).toEqual([]);
    expect(hashes.every((hash) => set.add(hash))).toBe(true);
    expect(set.add(sha256(bytes("other")))).toBe(false);
  });

  it("tells hashes apart by their first eight bytes, wherever these lie in their memory", () => {
    const set = new HashSet();
    const hash = (...words: number[]) => new Uint8Array(new Uint32Array([9, ...words, 7]).buffer, 4);
    const words = [0, 1, 1024, 2048];
    const all = words.flatMap((one) => words.map((two) => hash(one, two)));
    expect(all.map((one) => set.add(one)).filter(Boolean)).toHaveLength(0);
    expect(all.every((one) => set.add(one))).toBe(true);
    const plain = new HashSet();
    const [zero, one] = [new Uint8Array(8), new Uint8Array(8)];
    one[7] = 1;
    // A second word of zero would be an empty slot, so it is taken for one.
    expect([plain.add(zero), plain.add(zero), plain.add(one)]).toEqual([false, true, true]);
  });

  it("wraps around at its end", () => {
    const set = new HashSet();
    const ofSlot = (slot: number, second: number) => {
      const hash = new Uint8Array(8);
      new DataView(hash.buffer).setUint32(0, slot);
      new DataView(hash.buffer).setUint32(4, second);
      return hash;
    };
    for (const second of [1, 2, 3]) expect(set.add(ofSlot(1_023, second))).toBe(false);
    for (const second of [1, 2, 3]) expect(set.add(ofSlot(1_023, second))).toBe(true);
    expect(set.add(ofSlot(0, 2))).toBe(false);
  });
});

describe("a day's marks", () => {
  const chain = chainOfDay(sha256(bytes("day")), 20);
  const seed = (number: number) => hexOf(seedOf(chain, number));
  const marks = () => {
    const day = new DayMarks(serverHash);
    day.setAnchor(seed(0));
    return day;
  };

  it("keep what is known of each round apart", () => {
    const day = marks();
    day.mark(3, MARK.opened);
    day.mark(3, MARK.bets);
    day.mark(4, MARK.drawn);
    expect([MARK.opened, MARK.bets, MARK.opened | MARK.bets].map((bits) => day.has(3, bits))).toEqual([
      true,
      true,
      true,
    ]);
    expect([day.has(3, MARK.drawn), day.has(3, MARK.opened | MARK.drawn), day.has(4, MARK.opened)]).toEqual([
      false,
      false,
      false,
    ]);
    // A day of ten seconds' rounds has no more.
    for (const number of [8_640, 8_641]) day.mark(number, MARK.void);
    expect([8_640, 8_641].map((number) => day.has(number, MARK.void))).toEqual([true, false]);
    expect(Object.values(MARK).toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16]);
  });

  it("follow the day's chain from its anchor, forwards and back", () => {
    const day = marks();
    expect([day.reached, day.isSeed(5, seed(5)), day.reached]).toEqual([0, true, 5]);
    expect([day.isSeed(2, seed(2)), day.isSeed(5, seed(5)), day.isSeed(0, seed(0)), day.reached]).toEqual([
      true,
      true,
      true,
      5,
    ]);
    expect([
      day.isSeed(2, seed(3)),
      day.isSeed(5, seed(4)),
      day.isSeed(9, seed(8)),
      day.isSeed(6, hashFor("x")),
    ]).toEqual([false, false, false, false]);
    expect([day.reached, day.isSeed(20, seed(20)), day.reached]).toEqual([5, true, 20]);
  });

  it("know no seed without an anchor", () => {
    const day = new DayMarks(serverHash);
    expect([day.anchor, day.reached, day.isSeed(1, seed(1)), day.reached, day.shown]).toEqual([null, 0, false, 0, 0]);
  });
});

describe("signatures that wait", () => {
  it("are checked 256 at once, and at the end", () => {
    const asked: string[][] = [];
    const told: unknown[] = [];
    const beacons = {
      namesFirst: () => true,
      fits: () => true,
      signedAt: () => 0,
      areSigned: (all: readonly { signature: string }[]) => {
        asked.push(all.map(({ signature }) => signature));
        return all.map(({ signature }) => signature !== "3" && signature !== "299");
      },
    };
    const waiting = new WaitingBeacons(beacons, (subject, size) => told.push([subject.round, size]));
    const add = (i: number) => waiting.add({ rule: "r", signature: String(i) }, { game: "g", round: `n${i}` }, i);
    for (let i = 0; i < 255; i++) add(i);
    expect(asked).toEqual([]);
    waiting.add({ rule: "r", signature: "3" }, { game: "h", round: "again" }, 255);
    expect(asked).toEqual([]);
    add(255);
    expect(asked.map((all) => all.length)).toEqual([256]);
    expect(told).toEqual([
      ["n3", 3],
      ["again", 255],
    ]);
    for (let i = 256; i < 300; i++) add(i);
    waiting.end();
    waiting.end();
    expect(asked.map((all) => all.length)).toEqual([256, 44, 0]);
    expect(told.slice(2)).toEqual([["n299", 299]]);
  });
});
