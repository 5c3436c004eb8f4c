import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { odds } from "#db/schema/index.ts";
import { chainOf } from "../../support/chain.ts";
import { diceFrom, faultsOf } from "../../support/recompute.ts";
import { START, type World } from "../../support/world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

const FIRST = "20260302-0001";
const SECOND = "20260302-0002";

let w: World;
const { info, fair, rounds, announced } = readsOf(() => w);
let chain: string[];

beforeEach(async () => {
  w = await roundsWorld();
  chain = chainOf(w.deps.keys.now.master, KEY, "20260302", 1_440);
});
afterEach(() => w.close());

describe("opening a round", () => {
  it("happens at the beginning of its time, with deadlines and the commit of its seed", async () => {
    expect(await info()).toMatchObject({
      next_expect: FIRST,
      state: "open",
      second: 57,
      close_ms: START + 57_000,
      draw_ms: START + 60_000,
      server_now_ms: START,
      commit: chain[0],
      now_expect: null,
      opencode: null,
    });
    expect(await rounds()).toMatchObject([{ expect: FIRST, openedAt: START, closedAt: null, seed: null, fromBet: 1 }]);
  });

  it("happens once, however often the clock ticks", async () => {
    await w.live(1);
    await w.live(30_000);
    expect(await rounds()).toHaveLength(1);
    expect(await announced("round.opened")).toHaveLength(1);
  });

  it("shows the anchor as the commitment of a day's first round, and no seed", async () => {
    const { anchor } = (await readsOf(() => w).anchors())[0]!;
    expect(await fair(FIRST)).toEqual({
      odds: expect.objectContaining({ id: "1" }) as object,
      closes: START + 57_000,
      due: START + 60_000,
      drawn: null,
      refunded: null,
      logged: { open: null, anchor: null },
      gap: null,
      key: KEY,
      kind: "dice-sum",
      expect: FIRST,
      index: 1,
      commit: anchor,
      anchor,
      rule: "none",
      beacon: "",
      beacon_signature: "",
      seed: null,
      opencode: null,
    });
  });

  it("uses the odds in force at that moment, for the whole round", async () => {
    const milli = Array.from({ length: 20 }, () => 1_000);
    const [added] = await w.deps.db.transact((tx) =>
      tx.insert(odds).values({ gameId: 1, milli, createdAt: w.now() }).returning({ id: odds.id }),
    );
    await w.live(60_000);
    expect((await rounds()).map(({ oddsId }) => oddsId)).toEqual([added!.id - 1, added!.id]);
  });
});

describe("the countdown", () => {
  it("rounds the seconds up and reaches 0 only at the close", async () => {
    const seconds: [number, number][] = [];
    for (const ms of [0, 1, 998, 1, 55_000, 999, 1]) {
      w.pass(ms);
      seconds.push([w.now() - START, (await info()).second]);
    }
    expect(seconds).toEqual([
      [0, 57],
      [1, 57],
      [999, 57],
      [1_000, 56],
      [56_000, 1],
      [56_999, 1],
      [57_000, 0],
    ]);
  });

  it("says drawing from the closing moment on, also before the close is written", async () => {
    w.pass(56_999);
    expect((await info()).state).toBe("open");
    w.pass(1);
    expect(await info()).toMatchObject({ state: "drawing", second: 0, next_expect: FIRST, commit: chain[0] });
    expect((await rounds())[0]!.closedAt).toBeNull();
  });
});

describe("closing a round", () => {
  it("is written at its closing moment, not before", async () => {
    await w.live(56_999);
    expect(await rounds()).toMatchObject([{ closedAt: null, toBet: null }]);
    await w.live(1);
    expect(await rounds()).toMatchObject([{ closedAt: START + 57_000, toBet: 0, seed: null, dice: null }]);
    expect(await announced("round.closed")).toHaveLength(1);
  });

  it("records the last bet before it", async () => {
    const mia = await w.player("mia_1", { balance: 100 });
    const order = { item: "A", money: "1", lid: "lot_1", mid: "", expect: FIRST };
    await Promise.all([1, 2, 3].map(() => mia.call("/game/placeOrder", order)));
    await w.live(57_000);
    await mia.call("/game/placeOrder", order);
    expect(await rounds()).toMatchObject([{ fromBet: 1, toBet: 3 }]);
    await w.live(3_000);
    expect(await rounds()).toMatchObject([{ betCount: 3 }, { expect: SECOND, fromBet: 4 }]);
  });

  it("reveals nothing before the draw, and opens nothing", async () => {
    await w.live(57_000);
    await w.live(2_999);
    expect(await info()).toMatchObject({ state: "drawing", second: 0, next_expect: FIRST, now_expect: null });
    expect(await fair(FIRST)).toMatchObject({ seed: null, opencode: null });
    await expect(fair(SECOND)).rejects.toThrow("answers 404");
  });
});

describe("drawing a round", () => {
  it("comes at its end, from the committed seed", async () => {
    await w.live(57_000);
    await w.live(3_000);
    const drawn = await fair(FIRST);
    expect(drawn).toMatchObject({ seed: chain[1], opencode: diceFrom(chain[1]!, `${KEY}:${FIRST}:`) });
    expect(drawn.logged).toEqual({ open: expect.any(Number) as number, anchor: expect.any(Number) as number });
    expect(faultsOf(drawn)).toEqual([]);
    expect(await rounds()).toMatchObject([{ drawnAt: START + 60_000 }, { drawnAt: null }]);
    expect(await announced("round.drawn")).toHaveLength(1);
  });

  it("shows its dice from then on as the last drawn, beside the next round", async () => {
    await w.live(60_000);
    const opencode = diceFrom(chain[1]!, `${KEY}:${FIRST}:`);
    const sum = opencode.reduce((total, die) => total + die, 0);
    expect(await info()).toMatchObject({
      now_expect: FIRST,
      opencode,
      one: sum >= 11 ? "A" : "B",
      two: sum % 2 ? "C" : "D",
      next_expect: SECOND,
      state: "open",
      second: 57,
    });
  });

  it("opens the next round at the same moment, whose commitment is the seed just revealed", async () => {
    await w.live(60_000);
    expect(await rounds()).toMatchObject([
      { expect: FIRST, seed: chain[1] },
      { expect: SECOND, commit: chain[1], openedAt: START + 60_000 },
    ]);
  });

  it("goes on like this, round after round", async () => {
    for (let i = 0; i < 12; i++) await w.live(i % 2 ? 3_000 : 57_000);
    const all = await rounds();
    expect(all.map((round) => round.expect)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `20260302-000${number}`));
    expect(all.map(({ commit }) => commit)).toEqual(chain.slice(0, 7));
    expect(all.map(({ seed }) => seed)).toEqual([...chain.slice(1, 7), null]);
    for (const round of all.slice(0, 6)) expect(faultsOf(await fair(round.expect))).toEqual([]);
    expect(await readsOf(() => w).gaps()).toEqual([]);
  });
});

describe("midnight", () => {
  it("ends a day's chain with its last round and begins the next day's with a first round and a new anchor", async () => {
    await w.close();
    w = await roundsWorld(START + 86_400_000 - 60_000);
    const { master } = w.deps.keys.now;
    const [ending, beginning] = ["20260302", "20260303"].map((day) => chainOf(master, KEY, day, 1_440));
    expect(await info()).toMatchObject({ next_expect: "20260302-1440", commit: ending![1_439] });
    await w.live(60_000);
    expect(await info()).toMatchObject({
      now_expect: "20260302-1440",
      next_expect: "20260303-0001",
      commit: beginning![0],
    });
    const last = await fair("20260302-1440");
    expect(last).toMatchObject({ index: 1_440, seed: ending![1_440], anchor: ending![0] });
    expect(faultsOf(last)).toEqual([]);
    await w.live(60_000);
    const first = await fair("20260303-0001");
    expect(first).toMatchObject({ index: 1, seed: beginning![1], anchor: beginning![0] });
    expect(faultsOf(first)).toEqual([]);
    expect(await readsOf(() => w).gaps()).toEqual([]);
  });
});
