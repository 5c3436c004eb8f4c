import { bytesToHex } from "@noble/hashes/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shownPlaces } from "#db/schema/lottery.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { chainOf } from "../../support/chain.ts";
import { anchorFrom, diceFrom, dicer } from "../../support/recompute.ts";
import type { World } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";
import { no, WAYS } from "./clock-ways.ts";
import { problemsOf } from "./failing-world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
const { info, fair, rounds, gaps, anchors } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
});
afterEach(() => w.close());

const chainOn = (day: string) => chainOf(w.deps.keys.now.master, KEY, day, 1_440);
const marks = () => w.deps.db.read.select().from(shownPlaces).orderBy(shownPlaces.day);

/** What `/fair/round` must say of a round in a gap whose seed is public. */
function missed(number: number, day = "20260302") {
  const seed = chainOn(day)[number]!;
  const dice = diceFrom(seed, `${KEY}:${no(number, day)}:`);
  return { commit: chainOn(day)[number - 1], seed, opencode: null, odds: null, drawn: null, gap: { opencode: dice } };
}

describe("the highest place that was shown", () => {
  it("grows with each opening, and nothing lowers or deletes it", async () => {
    await w.live(60_000);
    expect(await marks()).toMatchObject([{ number: 2, seed: null }]);
    const { db } = w.deps;
    for (const change of [{ number: 1 }, { day: 1 }, { number: 2, seed: null }])
      expect(await db.transact((tx) => tx.update(shownPlaces).set(change)).catch(reasonOf)).toMatch(/stays shown/);
    expect(await db.transact((tx) => tx.delete(shownPlaces)).catch(reasonOf)).toMatch(/never deleted/);
  });

  it.each(WAYS)("keeps every place up to it closed when the clock jumps back and forth %s", async (_, set) => {
    const random = dicer(7);
    const opened = new Map<string, string>();
    const offset = w.now();
    for (let jump = 0; jump < 12; jump++) {
      const aim = offset + Math.floor(random() * 3 * HOUR_MS);
      await set(w, aim - w.now());
      await w.live(60_000);
      for (const { expect: round, commit } of await rounds()) {
        expect(opened.get(round) ?? commit).toBe(commit);
        opened.set(round, commit);
      }
    }
    const numbers = (await rounds()).filter(({ day }) => day === 20_514).map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect((await marks()).find(({ day }) => day === 20_514)!.number).toBe(Math.max(...numbers));
    await set(w, offset + 4 * HOUR_MS - w.now());
    await w.live(60_000);
    expect((await info()).state).toBe("open");
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a round in a gap", () => {
  it("shows what it would have drawn, as the chain gives it", async () => {
    await w.live(5 * 60_000);
    expect(await gaps()).toMatchObject([{ gap_from: no(2), gap_to: no(5), reason: "down" }]);
    for (const number of [2, 5]) {
      const round = await fair(no(number));
      expect(round).toMatchObject(missed(number));
      expect(round.gap).toMatchObject({ from: no(2), to: no(5), reason: "down" });
      expect(anchorFrom(round.seed!, number)).toBe((await anchors())[0]!.anchor);
    }
    expect((await fair(no(6))).gap).toBeNull();
    await expect(fair(no(7))).rejects.toThrow("answers 404");
  });

  it("at the end of a day, waits a day with it, and no place of that day opens afterwards", async () => {
    await w.live(DAY_MS);
    expect((await rounds()).map((round) => round.expect)).toEqual([no(1), no(1, "20260303")]);
    const hidden = { commit: null, seed: null, gap: { from: no(2), to: no(1_440), opencode: null } };
    expect(await fair(no(1_440))).toMatchObject(hidden);
    await w.live(DAY_MS - 60_000);
    expect(await fair(no(1_440))).toMatchObject(hidden);
    await w.live(60_000);
    for (const number of [2, 700, 1_440]) expect(await fair(no(number))).toMatchObject(missed(number));
    expect((await marks())[0]).toMatchObject({ number: 1_440, seed: chainOn("20260302")[1_440] });
    w.jump(-2 * DAY_MS);
    for (let minute = 0; minute < 3; minute++) await w.live(60_000);
    expect((await rounds()).filter(({ day }) => day === 20_514)).toHaveLength(1);
    expect(await problemsOf(w)).toEqual([]);
  });

  it("of many days is shown one day with each round that opens, and the newest as well", async () => {
    await w.live(4 * DAY_MS);
    await w.live(DAY_MS);
    for (let round = 0; round < 4; round++) await w.live(60_000);
    for (const day of ["20260302", "20260303", "20260304", "20260305"])
      expect(await fair(no(1_440, day))).toMatchObject(missed(1_440, day));
  });

  it("that lies ahead, because a clock was wrong, shows nothing before its time", async () => {
    w.jump(HOUR_MS);
    await w.settle();
    w.jump(-HOUR_MS);
    await w.settle();
    expect(await gaps()).toMatchObject([{ gap_from: no(2), gap_to: no(61), reason: "clock" }]);
    expect(await fair(no(30))).toMatchObject({ commit: null, seed: null, gap: { reason: "clock", opencode: null } });
    await w.live(30 * 60_000);
    expect(await fair(no(30))).toMatchObject(missed(30));
    expect((await fair(no(31))).seed).toBeNull();
    await w.live(DAY_MS);
    await w.live(60_000);
    expect(await fair(no(61))).toMatchObject(missed(61));
    expect(await problemsOf(w)).toEqual([]);
  });

  it("never shows the seed of a round that is open, or may still open", async () => {
    await w.live(5 * 60_000);
    const secret = chainOn("20260302").slice(6);
    const said = JSON.stringify(await Promise.all([1, 2, 3, 4, 5, 6].map((number) => fair(no(number)))));
    await expect(fair(no(7))).rejects.toThrow("answers 404");
    expect(secret.filter((seed) => said.includes(seed))).toEqual([]);
    expect(said).toContain(bytesToHex(Buffer.from(chainOn("20260302")[5]!, "hex")));
  });
});
