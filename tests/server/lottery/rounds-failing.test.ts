import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arm, disarm } from "../../support/failpoints.ts";
import { loggedFailuresOf, expectPaid, failingWorld, playRound, payoutsOf, problemsOf } from "./failing-world.ts";
import type { FailingWorld } from "./failing-world.ts";

/** A failed step is retried after a minute at the latest. */
const PAUSE_MS = 60_000;

let site: FailingWorld;

beforeEach(async () => {
  site = await failingWorld();
});
afterEach(async () => {
  disarm();
  await site.close();
});

describe("a round that fails between two commits of its payouts", () => {
  it("resumes where it was, and pays no member twice", async () => {
    const { w, ill, well } = site;
    arm("settle.credited:1 throw 1");
    await playRound(site.w);
    expect(loggedFailuresOf(site.w)).toEqual([["settle 1", 50]]);
    await expectPaid([...ill, ...well], 1);
    expect(await payoutsOf(w, 1)).toHaveLength(3);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a game whose next round cannot be opened", () => {
  it("delays no other, and resumes when it can, with a gap that says late", async () => {
    const { w, ill, well } = site;
    arm("round.open:1 throw");
    await playRound(site.w);
    await expectPaid([...ill, ...well], 1);
    await w.live(PAUSE_MS);
    const list = async () => (await w.call("/Lottery/lotteryList", {}, { method: "GET" })).data;
    expect(await list()).toMatchObject([{ state: "paused" }, { state: "open", next_expect: "20260302-0003" }]);
    disarm();
    await w.live(PAUSE_MS);
    expect(await list()).toMatchObject([{ state: "open", next_expect: "20260302-0004" }, { state: "open" }]);
    const { data } = await w.call("/fair/gaps", { key: "k3-1m" }, { method: "GET" });
    expect(data).toEqual([{ gap_from: "20260302-0002", gap_to: "20260302-0003", reason: "late" }]);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a step that keeps failing", () => {
  it("is retried with growing backoff, up to a minute apart", async () => {
    const { w } = site;
    arm("settle.count:1 throw");
    await playRound(site.w);
    const tries: number[] = [];
    let before = loggedFailuresOf(site.w).length;
    for (let second = 1; second <= 200; second++) {
      await w.live(1_000);
      const now = loggedFailuresOf(site.w).filter(([step]) => step === "settle 1").length;
      if (now > before) tries.push(second);
      before = now;
    }
    const pauses = tries.slice(1).map((second, i) => second - tries[i]!);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(60);
    expect(tries.length).toBeGreaterThan(4);
  });
});
