import { createHash, createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diceFromBytes } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { chainOfDay, commitOf, drawOf, lastSeedOfDay, lateBy, seedOf } from "#shared/lottery/fairness.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const master = Uint8Array.from({ length: 32 }, (_, i) => i);
/** The dice of a game of three. */
const drawAs = (seed: Uint8Array, gameKey: string, round: string) =>
  drawOf(rulesOf("dice-sum"), seed, { gameKey, round, rule: "none", beacon: "" });

const chain = chainOfDay(lastSeedOfDay(master, "k3-1m", "20260302"), 1_440);

describe("a draw", () => {
  it("is late once it came more than a minute after its time, by as many seconds", () => {
    const due = Date.UTC(2026, 2, 2);
    const by = (ms: number) => lateBy({ due, drawn: due + ms });
    expect([0, 60_000, 60_001, 90_600, 3_600_000].map(by)).toEqual([0, 0, 60, 91, 3_600]);
  });
});

describe("a day's chain of seeds", () => {
  it("is the same by the platform's own hash", () => {
    const last = lastSeedOfDay(master, "k3-1m", "20260302");
    expect(hex(chainOfDay(last, 100, sha256))).toBe(hex(chainOfDay(last, 100)));
  });

  it("ends with HKDF-SHA256 of the master key for this game and day", () => {
    const expected = Buffer.from(hkdfSync("sha256", master, "", "draw:k3-1m:20260302", 32));
    expect(hex(lastSeedOfDay(master, "k3-1m", "20260302"))).toBe(hex(expected));
    expect(hex(seedOf(chain, 1_440))).toBe(hex(expected));
  });

  it("has another last seed for every game, day and master key", () => {
    const last = [
      lastSeedOfDay(master, "k3-1m", "20260302"),
      lastSeedOfDay(master, "k3-3m", "20260302"),
      lastSeedOfDay(master, "k3-1m", "20260303"),
      lastSeedOfDay(master.toReversed(), "k3-1m", "20260302"),
    ];
    expect(new Set(last.map(hex)).size).toBe(4);
  });

  it("has one seed per round and the anchor, each the hash of the next", () => {
    expect(chain).toHaveLength(1_441 * 32);
    for (let i = 0; i < 1_440; i++) expect(hex(seedOf(chain, i))).toBe(hex(sha256(seedOf(chain, i + 1))));
  });

  it("commits to a round by the seed of the one before, to the first by the anchor", () => {
    for (const n of [1, 2, 719, 1_440]) expect(commitOf(seedOf(chain, n))).toBe(hex(seedOf(chain, n - 1)));
  });
});

describe("dice from bytes", () => {
  it("give each face exactly 42 of the bytes and skip the four that are left", () => {
    const faces = new Map<number | null, number>();
    for (let byte = 0; byte < 256; byte++) {
      const face = diceFromBytes(3, [byte, byte, byte])?.[0] ?? null;
      faces.set(face, (faces.get(face) ?? 0) + 1);
    }
    expect(Object.fromEntries(faces)).toEqual({ 1: 42, 2: 42, 3: 42, 4: 42, 5: 42, 6: 42, null: 4 });
  });

  it("make all 216 outcomes exactly equally likely: each stands for 42³ of the 252³ triples", () => {
    const counts = new Uint32Array(216);
    const bytes = new Uint8Array(3);
    for (let triple = 0; triple < 252 ** 3; triple++) {
      bytes[0] = triple % 252;
      bytes[1] = (triple / 252) % 252;
      bytes[2] = triple / 63_504;
      const dice = diceFromBytes(3, bytes)!;
      counts[dice.reduce((roll, face) => roll * 6 + face - 1, 0)]!++;
    }
    expect(new Set(counts)).toEqual(new Set([42 ** 3]));
  });

  it("are the first three left when bytes from 252 on are skipped", () => {
    const byte = fc.oneof(fc.nat(255), fc.integer({ min: 250, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (bytes) => {
        const faces = bytes.filter((byte) => byte < 252).map((byte) => (byte % 6) + 1);
        expect(diceFromBytes(3, bytes)).toEqual(faces.length < 3 ? null : faces.slice(0, 3));
      }),
    );
  });
});

describe("the dice of a round", () => {
  /** The contract's rules in other code: node's HMAC, and nothing of ours. */
  function independentDice(seed: Uint8Array, message: string): number[] {
    const bytes: number[] = [];
    for (let block = 0; ; block++) {
      const text = block === 0 ? message : `${message}:${block}`;
      bytes.push(...createHmac("sha256", seed).update(text).digest());
      const usable = bytes.filter((byte) => byte < 252);
      if (usable.length >= 3) return usable.slice(0, 3).map((byte) => (byte % 6) + 1);
    }
  }

  it("are those of an independent implementation, for any seed, game and round", () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const word = fc.string({ unit: "binary", maxLength: 80 });
    fc.assert(
      fc.property(seeds, word, word, (seed, key, round) => {
        expect(drawAs(seed, key, round)).toEqual(independentDice(seed, `${key}:${round}:`));
      }),
      { numRuns: 2_000 },
    );
  });

  it("are the same for the same round, for ever", () => {
    // Computed in another language: rounds 1 to 3 under the master key 00 01 02 … 1f.
    const rolls = [1, 2, 3].map((n) => drawAs(seedOf(chain, n), "k3-1m", `20260302-000${n}`).join(""));
    expect(rolls).toEqual(["221", "632", "566"]);
  });

  // No seed is known whose first 32 bytes run out for three dice, so these rules need more bytes.
  it("come from the blocks :1, :2 and so on when the bytes before have run out", () => {
    const seed = seedOf(chain, 1);
    const seen: string[] = [];
    const drawFrom = (bytes: Uint8Array) => {
      seen.push(hex(bytes));
      return bytes.length > 64 ? diceFromBytes(3, bytes.subarray(64)) : null;
    };
    const dice = drawOf({ drawFrom }, seed, { gameKey: "k3-1m", round: "20260302-0001", rule: "none", beacon: "" });
    const message = "k3-1m:20260302-0001:";
    const [first, second, third] = [message, `${message}:1`, `${message}:2`].map((text) =>
      createHmac("sha256", seed).update(text).digest("hex"),
    );
    expect(seen).toEqual([first, `${first}${second}`, `${first}${second}${third}`]);
    expect(dice).toEqual(diceFromBytes(3, Buffer.from(third!, "hex")));
  });
});
