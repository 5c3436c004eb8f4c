import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arm, disarm } from "../../support/failpoints.ts";
import { faultsOf } from "../../support/recompute.ts";
import { expectPaid, failingWorld, metric, payoutsOf, problemsOf, roundOf, ROUND } from "./failing-world.ts";
import type { FailingWorld } from "./failing-world.ts";

/** A failed step is tried again after a minute at the latest. */
const PAUSE_MS = 60_000;

let site: FailingWorld;

beforeEach(async () => {
  site = await failingWorld();
});
afterEach(async () => {
  disarm();
  await site.close();
});

/** From the first second of the round to a moment after its draw. */
async function playRound(): Promise<void> {
  await site.w.live(56_000);
  await site.w.live(3_000);
  await site.w.live(1_000);
}

/** What the log says of the step that failed. */
const complaints = () =>
  site.w.logged
    .map((line) => JSON.parse(line) as { msg: string; step?: string; level: number })
    .filter(({ msg }) => msg === "a step failed and is tried again")
    .map(({ step, level }) => [step, level]);

const fair = async (key: string) =>
  (await site.w.call("/fair/round", { key, expect: ROUND }, { method: "GET" })).data as Parameters<typeof faultsOf>[0];

describe.each([
  ["round.close:1", "close 1"],
  ["round.draw:1", "draw 1"],
  ["settle.count:1", "settle 1"],
  ["settle.credit:1", "settle 1"],
  ["settle.finish:1", "settle 1"],
  ["index.piece:1", "settle 1"],
  ["index.finish:1", "settle 1"],
])("a round that fails at %s", (failpoint, step) => {
  it("holds up no other, is tried again and finishes to the cent", async () => {
    const { w, ill, well } = site;
    arm(`${failpoint} throw`);
    await playRound();
    await expectPaid(well, 1);
    expect(complaints()).toContainEqual([step, 50]);
    expect(await metric(w, "trio_steps_failing")).toBe(1);
    expect((await roundOf(w, 1)).failedAt).toBeNull();
    expect((await roundOf(w, 1)).indexedAt).toBeNull();
    const [opened] = (await w.call("/Lottery/lotteryList", {}, { method: "GET" })).data.slice(1);
    expect(opened).toMatchObject({ state: "open", next_expect: "20260302-0002" });

    disarm();
    for (let i = 0; i < 3; i++) await w.live(PAUSE_MS);
    await expectPaid(ill, 1);
    expect((await roundOf(w, 1)).indexedAt).not.toBeNull();
    expect(await payoutsOf(w, 1)).toHaveLength(3);
    expect(faultsOf(await fair("k3-1m"))).toEqual([]);
    expect(await metric(w, "trio_steps_failing")).toBe(0);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a round that fails between two commits of its payouts", () => {
  it("goes on where it was, and pays nobody twice", async () => {
    const { w, ill, well } = site;
    arm("settle.credited:1 throw 1");
    await playRound();
    expect(complaints()).toEqual([["settle 1", 50]]);
    await expectPaid([...ill, ...well], 1);
    expect(await payoutsOf(w, 1)).toHaveLength(3);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a game whose next round cannot be opened", () => {
  it("holds up no other, and goes on when it can, with a gap", async () => {
    const { w, ill, well } = site;
    arm("round.open:1 throw");
    await playRound();
    await expectPaid([...ill, ...well], 1);
    await w.live(PAUSE_MS);
    const list = async () => (await w.call("/Lottery/lotteryList", {}, { method: "GET" })).data;
    expect(await list()).toMatchObject([{ state: "paused" }, { state: "open", next_expect: "20260302-0003" }]);
    disarm();
    await w.live(PAUSE_MS);
    expect(await list()).toMatchObject([{ state: "open", next_expect: "20260302-0004" }, { state: "open" }]);
    const { data } = await w.call("/fair/gaps", { key: "k3-1m" }, { method: "GET" });
    expect(data).toEqual([{ gap_from: "20260302-0002", gap_to: "20260302-0003", reason: "down" }]);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a step that fails again and again", () => {
  it("is tried less and less often, up to a minute apart", async () => {
    const { w } = site;
    arm("settle.count:1 throw");
    await playRound();
    const tries: number[] = [];
    let before = complaints().length;
    for (let second = 1; second <= 200; second++) {
      await w.live(1_000);
      const now = complaints().filter(([step]) => step === "settle 1").length;
      if (now > before) tries.push(second);
      before = now;
    }
    const pauses = tries.slice(1).map((second, i) => second - tries[i]!);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(60);
    expect(tries.length).toBeGreaterThan(4);
  });
});
