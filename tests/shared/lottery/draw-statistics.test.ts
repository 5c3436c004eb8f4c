import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { diceFromBytes } from "#shared/lottery/dice.ts";
import { dayOf } from "#shared/time.ts";
import { drawMany } from "../../support/draw-many.ts";
import { byLength } from "../../support/length.ts";
import { CHI_SQUARE_99, chiSquare, NORMAL_99, runsScore, serialScore } from "../../support/statistics.ts";

/* Draws of a ten-second game from 1 January 2026 on, each from the seed of its round: a quarter of a million, and ten million by `npm run test:long`. The master key is the bytes 0 to 31, so every run draws the same. */
const ORDER = {
  master: Uint8Array.from({ length: 32 }, (_, i) => i),
  gameKey: "k3-10s",
  periodS: 10,
  fromDay: dayOf(Date.UTC(2026, 0, 1)),
  days: byLength(29, 1_158),
};
const LEAST_DRAWS = byLength(250_000, 10_000_000);
const SUM_WEIGHTS = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1];
const evenly = (kinds: number) => Array.from({ length: kinds }, () => 1);

const FACES = Array.from({ length: 216 }, (_, roll) => [Math.floor(roll / 36), Math.floor(roll / 6) % 6, roll % 6]);
const sumsOf = (rolls: Uint8Array) => rolls.map((roll) => FACES[roll]![0]! + FACES[roll]![1]! + FACES[roll]![2]! + 3);
const big = (sum: number) => (sum >= 11 ? 1 : 0);

function count(values: Uint8Array, kinds: number): Uint32Array {
  const counts = new Uint32Array(kinds);
  for (const value of values) counts[value]!++;
  return counts;
}

describe("very many draws, at the 99 % level", () => {
  let rolls: Uint8Array;
  let outcomes: Uint32Array;
  let sums: Uint8Array;
  beforeAll(async () => {
    rolls = await drawMany(ORDER);
    outcomes = count(rolls, 216);
    sums = sumsOf(rolls);
  }, 900_000);

  it("are that many", () => expect(rolls.length).toBeGreaterThanOrEqual(LEAST_DRAWS));

  it("spread evenly over the 216 outcomes", () => {
    expect(chiSquare(outcomes, evenly(216))).toBeLessThan(CHI_SQUARE_99[215]);
  });

  it.each([0, 1, 2])("spread evenly over the faces of die %i", (die) => {
    const faces = new Uint32Array(6);
    for (const [roll, times] of outcomes.entries()) faces[FACES[roll]![die]!]! += times;
    expect(chiSquare(faces, evenly(6))).toBeLessThan(CHI_SQUARE_99[5]);
  });

  it("spread over the sums by the ways in which each can fall", () => {
    expect(chiSquare(count(sums, 19).subarray(3), SUM_WEIGHTS)).toBeLessThan(CHI_SQUARE_99[15]);
  });

  it("change between big and small as often as chance does", () => {
    expect(Math.abs(runsScore(sums.map(big)))).toBeLessThan(NORMAL_99);
  });

  it.each([1, 2, 3])("predict nothing about the sum %i rounds later", (lag) => {
    expect(Math.abs(serialScore(sums, lag))).toBeLessThan(NORMAL_99);
  });
});

describe("these tests would notice", () => {
  /** Bytes as good as random, the same in every run. */
  const bytes = Buffer.concat(
    Array.from({ length: 50_000 }, (_, i) => createHash("sha256").update(`bytes ${i}`).digest()),
  );
  const fair = Uint8Array.from({ length: 200_000 }, (_, i) => {
    const dice = diceFromBytes(3, bytes.subarray(i * 8, i * 8 + 8))!;
    return dice.reduce((roll, face) => roll * 6 + face - 1, 0);
  });

  const repeating = (lag: number) => fair.map((roll, i) => (i % 50 ? roll : (fair[i - lag] ?? roll)));

  it("nothing in a fair sequence", () => {
    expect(chiSquare(count(fair, 216), evenly(216))).toBeLessThan(CHI_SQUARE_99[215]);
    expect(Math.abs(runsScore(sumsOf(fair).map(big)))).toBeLessThan(NORMAL_99);
    expect(Math.abs(serialScore(sumsOf(fair), 1))).toBeLessThan(NORMAL_99);
  });

  it("dice from bytes of which none is skipped", () => {
    const faces = bytes.map((byte) => byte % 6);
    expect(chiSquare(count(faces, 6), evenly(6))).toBeGreaterThan(CHI_SQUARE_99[5]);
  });

  it("one roll in five hundred turned into another", () => {
    const bent = fair.map((roll, i) => (i % 500 ? roll : 215));
    expect(chiSquare(count(bent, 216), evenly(216))).toBeGreaterThan(CHI_SQUARE_99[215]);
  });

  it.each([1, 2, 3])("one draw in fifty that repeats the one %i before", (lag) => {
    expect(serialScore(sumsOf(repeating(lag)), lag)).toBeGreaterThan(NORMAL_99);
  });

  it("fewer changes between big and small than chance makes", () => {
    expect(runsScore(sumsOf(repeating(1)).map(big))).toBeLessThan(-NORMAL_99);
  });
});
