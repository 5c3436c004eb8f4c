import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { seedAt, seedWithinDay } from "#shared/lottery/seed-at.ts";
import { chainOfDay, seedOf } from "#shared/lottery/fairness.ts";

const chain = chainOfDay(new Uint8Array(32).fill(7), 9);
const seed = (number: number) => bytesToHex(seedOf(chain, number));

describe("the seed of an earlier round", () => {
  it("is a hash away for each round between them", () => {
    for (const earlier of [0, 4, 9])
      expect(bytesToHex(seedAt({ number: 9, seed: seed(9) }, earlier))).toBe(seed(earlier));
  });

  it("is known for a stranger's number only within a day", () => {
    const known = { number: 9, seed: seed(9) };
    expect([9, 8].map((earlier) => bytesToHex(seedWithinDay(known, earlier)!))).toEqual([seed(9), seed(8)]);
    expect(seedWithinDay(known, 10)).toBe(null);
    const far = { number: 86_409, seed: seed(9) };
    expect(bytesToHex(seedWithinDay(far, 9)!)).toBe(bytesToHex(seedAt(far, 9)));
    expect(seedWithinDay(far, 8)).toBe(null);
    expect(seedWithinDay({ ...far, number: Number.MAX_SAFE_INTEGER }, 0)).toBe(null);
  });
});
