import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it, vi } from "vitest";
import { recomputeDraw } from "#client/machines/recompute-draw.ts";
import { chainOfDay, commitOf, drawOf, seedOf, type DrawnRound } from "#shared/lottery/fairness.ts";
import { makesDie } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { roundText } from "#shared/lottery/schedule.ts";

const chain = chainOfDay(new Uint8Array(32).fill(7), 1_440);
const anchor = bytesToHex(seedOf(chain, 0));

/** A round as an honest server shows it. */
function drawn(number: number): DrawnRound {
  const seed = seedOf(chain, number);
  const round = roundText({ day: 20_514, number });
  const dice = drawOf(rulesOf("dice-sum"), seed, { gameKey: "k3-1m", round, rule: "none", beacon: "" });
  return {
    gameKey: "k3-1m",
    kind: "dice-sum",
    round,
    index: number,
    commit: commitOf(seed),
    seed: bytesToHex(seed),
    rule: "none",
    beacon: "",
    signature: "",
    closes: 57_000,
    due: 60_000,
    dice,
    anchor,
    odds: oddsRecord(rulesOf("dice-sum"), rulesOf("dice-sum").odds, {
      game: "k3-1m",
      id: "1",
      period: 60,
      close: 3,
      unit: "point",
      from: 0,
    }),
  };
}

const noPause = () => Promise.resolve();

describe("recomputing a draw", () => {
  it("gives an honest server's result, for the first and the last of the day too", async () => {
    for (const number of [1, 77, 1_440]) {
      const { commit, dice } = drawn(number);
      expect(await recomputeDraw(drawn(number), noPause)).toMatchObject({ failed: [], commit, anchor, dice });
    }
  });

  it("shows its own result, whatever the server says", async () => {
    const honest = drawn(77);
    const forged = { ...honest, commit: "0".repeat(64), dice: [1, 1, 1] };
    expect(await recomputeDraw(forged, noPause)).toMatchObject({
      failed: ["commit", "dice"],
      commit: honest.commit,
      dice: honest.dice,
      anchor,
    });
  });

  it("hashes as often as the round's own number says, not as the server says", async () => {
    expect(await recomputeDraw({ ...drawn(77), index: 3 }, noPause)).toMatchObject({ failed: ["anchor"], anchor });
  });

  it("shows nothing for an invalid seed", async () => {
    const none = { failed: ["commit", "anchor", "dice"], commit: "", anchor: "", bytes: [], dice: [] };
    expect(await recomputeDraw({ ...drawn(77), seed: "xyz" }, noPause)).toEqual(none);
  });

  it("shows the bytes up to the one that makes the third die, skipped ones too", async () => {
    let skipped = 0;
    for (let number = 1; number <= 200; number++) {
      const round = drawn(number);
      const { bytes, dice } = await recomputeDraw(round, noPause);
      const whole = hmac(sha256, seedOf(chain, number), utf8ToBytes(`k3-1m:${round.round}:`));
      expect(bytes).toEqual([...whole.subarray(0, bytes.length)]);
      expect(bytes.filter(makesDie).map((byte) => (byte % 6) + 1)).toEqual([...dice]);
      expect(makesDie(bytes.at(-1)!)).toBe(true);
      skipped += bytes.length - 3;
    }
    expect(skipped).toBeGreaterThan(0);
  });

  it("yields to the screen, more often on a long day", async () => {
    const pauses = async (number: number) => {
      const pause = vi.fn<() => Promise<void>>(noPause);
      await recomputeDraw(drawn(number), pause);
      return pause.mock.calls.length;
    };
    expect(await pauses(1)).toBeGreaterThan(0);
    expect(await pauses(1_440)).toBeGreaterThan(5);
  });
});
