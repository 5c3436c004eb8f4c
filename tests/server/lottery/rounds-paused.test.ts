import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { faultsOf } from "../../support/recompute.ts";
import type { World } from "../../support/world.ts";
import { readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
const { info, fair, rounds, gaps } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
});
afterEach(() => w.close());

const no = (number: number) => `20260302-${String(number).padStart(4, "0")}`;
const gap = (from: number, to: number, reason: string) => ({ gap_from: no(from), gap_to: no(to), reason });
const pause = (paused: boolean) => w.deps.db.transact((tx) => pauseGame(tx, w.deps, 1, paused));

describe("a paused game", () => {
  it("still draws the running round, and opens no other", async () => {
    await w.live(10_000);
    await pause(true);
    await w.live(1_000);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(1) });
    await w.live(46_000);
    expect(await info()).toMatchObject({ state: "drawing", next_expect: no(1) });
    await w.live(3_000);
    expect(faultsOf(await fair(no(1)))).toEqual([]);
    expect(await info()).toMatchObject({ state: "paused", next_expect: null, now_expect: no(1) });
    await w.live(3_600_000);
    expect(await rounds()).toHaveLength(1);
  });

  it("records one gap with its reason when it resumes", async () => {
    await pause(true);
    for (let i = 0; i < 5; i++) await w.live(60_000);
    expect(await gaps()).toEqual([]);
    await pause(false);
    await w.live(20_000);
    expect(await gaps()).toEqual([gap(2, 5, "paused")]);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(6), second: 37 });
  });

  it("leaves no trace when it resumes within the same round, not even in the reason of a later gap", async () => {
    await pause(true);
    await w.live(10_000);
    await pause(false);
    await w.live(50_000);
    expect(await gaps()).toEqual([]);
    await pause(true);
    await pause(false);
    w.pass(5 * 60_000);
    await w.settle();
    expect(await gaps()).toEqual([gap(3, 6, "down")]);
  });

  it("keeps its reason when it is paused again before it resumes", async () => {
    await pause(true);
    await w.live(2 * 60_000);
    await pause(true);
    await w.live(1_000);
    await pause(false);
    await w.live(0);
    expect(await gaps()).toEqual([gap(2, 2, "paused")]);
  });

  it("separates each of its pauses from the server's downtime", async () => {
    await pause(true);
    await w.live(3 * 60_000);
    await pause(false);
    await w.live(0);
    w.pass(3 * 60_000);
    await w.settle();
    expect(await gaps()).toEqual([gap(2, 3, "paused"), gap(5, 6, "down")]);
  });
});
