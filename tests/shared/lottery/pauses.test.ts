import { describe, expect, it } from "vitest";
import { actsFrom, currentPause, isPauseTold, splitByPause } from "#shared/lottery/pauses.ts";
import { parseRound, ordinalOf } from "#shared/lottery/schedule.ts";

const MINUTES = { periodS: 60, closeS: 3 };
/** Midnight of 2026-03-02, in UTC. */
const MIDNIGHT = Date.UTC(2026, 2, 2);
const round = (number: number) => `20260302-${String(number).padStart(4, "0")}`;
const ordinal = (number: number) => ordinalOf(MINUTES, parseRound(round(number))!);
const place = (number: number) => ({ day: MIDNIGHT / 86_400_000, number });

describe("a pause", () => {
  it("acts from the round after next", () => {
    expect(actsFrom(MINUTES, MIDNIGHT)).toBe(ordinal(3));
    expect(actsFrom(MINUTES, MIDNIGHT + 59_999)).toBe(ordinal(3));
    expect(actsFrom(MINUTES, MIDNIGHT + 60_000)).toBe(ordinal(4));
  });

  it("is told until its end, and its end as soon as that is announced", () => {
    const begun = { from: ordinal(3), paused: true };
    const ended = { from: ordinal(9), paused: false };
    expect(currentPause(MINUTES, [], ordinal(1))).toBeNull();
    expect(currentPause(MINUTES, [begun], ordinal(1))).toEqual({ from: place(3), until: null });
    expect(currentPause(MINUTES, [begun, ended], ordinal(8))).toEqual({ from: place(3), until: place(9) });
    expect(currentPause(MINUTES, [begun, ended], ordinal(9))).toBeNull();
  });

  it("that ends before it begins is none", () => {
    const changes = [
      { from: 5, paused: true },
      { from: 5, paused: false },
    ];
    expect(currentPause(MINUTES, changes, 1)).toBeNull();
  });
});

describe("a range of rounds", () => {
  const changes = [
    { from: 10, paused: true },
    { from: 20, paused: false },
  ];

  it("is split where a pause begins and ends in it", () => {
    expect(splitByPause(changes, { from: 5, to: 25 })).toEqual([
      { from: 5, to: 9, paused: false },
      { from: 10, to: 19, paused: true },
      { from: 20, to: 25, paused: false },
    ]);
  });

  it("is whole where none does, at its borders too", () => {
    expect(splitByPause(changes, { from: 10, to: 19 })).toEqual([{ from: 10, to: 19, paused: true }]);
    expect(splitByPause(changes, { from: 20, to: 20 })).toEqual([{ from: 20, to: 20, paused: false }]);
    expect(splitByPause([], { from: 1, to: 3 })).toEqual([{ from: 1, to: 3, paused: false }]);
  });

  it("is joined over an announcement that changes nothing", () => {
    const twice = [...changes, { from: 22, paused: false }];
    expect(splitByPause(twice, { from: 20, to: 25 })).toEqual([{ from: 20, to: 25, paused: false }]);
  });
});

describe("a round that is missing because of a pause", () => {
  const told = (from: number, paused: boolean, announced: number | null) => ({ from: round(from), paused, announced });
  const [early, late] = [MIDNIGHT, MIDNIGHT + 60_000];

  it("was told if the pause was announced two rounds ahead", () => {
    const changes = [told(3, true, early), told(6, false, MIDNIGHT + 3 * 60_000)];
    const isTold = (number: number) => isPauseTold(MINUTES, changes, round(number));
    expect([2, 3, 5, 6].map(isTold)).toEqual([false, true, true, false]);
  });

  it("was not told if that came later, or never", () => {
    expect(isPauseTold(MINUTES, [told(3, true, late)], round(3))).toBe(false);
    expect(isPauseTold(MINUTES, [told(3, true, null)], round(3))).toBe(false);
  });
});
