import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bets, pauses } from "#db/schema/index.ts";
import { DAY_MS } from "#shared/time.ts";
import { chainOf } from "../../support/chain.ts";
import { faultsOf } from "../../support/recompute.ts";
import { MINUTE_GAME, START, type World } from "../../support/world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
const { info, fair, rounds, gaps, anchors } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
});
afterEach(() => w.close());

const no = (number: number) => `20260302-${String(number).padStart(4, "0")}`;
const gap = (from: number, to: number, reason: string) => ({ gap_from: no(from), gap_to: no(to), reason });

describe("a server after downtime", () => {
  it("draws the open round from its committed seed, records one gap, and opens the current round", async () => {
    const committed = (await info()).commit;
    w.pass(10 * 60_000 + 5_000);
    await w.restart();
    await w.settle();
    const drawn = await fair(no(1));
    expect(drawn.commit).toBe(committed);
    expect(faultsOf(drawn)).toEqual([]);
    expect(await gaps()).toEqual([gap(2, 10, "down")]);
    expect(await info()).toMatchObject({ now_expect: no(1), next_expect: no(11), state: "open", second: 52 });
    expect((await rounds()).map((round) => round.expect)).toEqual([no(1), no(11)]);
  });

  it("records no gap when it missed no opening", async () => {
    w.pass(58_000);
    await w.restart();
    await w.settle();
    expect(await info()).toMatchObject({ state: "drawing", next_expect: no(1) });
    await w.live(2_000 + 30_000);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(2), second: 27 });
    expect(await gaps()).toEqual([]);
  });

  it("pays the bets of the round during which it stopped, once", async () => {
    const mia = await w.player("mia_1", { balance: 100 });
    await mia.call("/game/placeOrder", { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: no(1) });
    w.pass(DAY_MS);
    await w.restart();
    await w.settle();
    await w.settle();
    const { data } = await mia.call("/member/getUserInfo");
    expect(data.money).toBe("99.50");
    expect(await w.deps.db.read.select().from(bets)).toHaveLength(1);
  });

  it("draws from the committed seed after a crash between the close and the draw", async () => {
    await w.live(57_000);
    const [closed] = await rounds();
    await w.restart();
    expect((await rounds())[0]).toEqual(closed);
    await w.live(3_000);
    expect(faultsOf(await fair(no(1)))).toEqual([]);
    expect((await rounds())[0]).toMatchObject({ closedAt: closed!.closedAt, commit: closed!.commit });
    expect((await info()).next_expect).toBe(no(2));
  });

  it("draws a closed round hours later, during another round", async () => {
    await w.live(57_000);
    w.pass(3 * 3_600_000);
    await w.restart();
    await w.settle();
    expect(faultsOf(await fair(no(1)))).toEqual([]);
    // This is the closing time of round 181, in which no round opens.
    expect(await info()).toMatchObject({ state: "paused", next_expect: null, now_expect: no(1) });
    await w.live(3_000);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(182) });
    expect(await gaps()).toEqual([gap(2, 181, "down")]);
  });

  it("catches up with all games at once", async () => {
    await w.game({ ...MINUTE_GAME, key: "k3-10s", periodS: 10, closeS: 2 });
    await w.live(1_000);
    w.pass(3_600_000);
    await w.restart();
    await w.settle();
    expect((await rounds()).map((round) => [round.gameId, round.expect, round.drawnAt !== null])).toEqual([
      [1, no(1), true],
      [2, no(1), true],
      [1, no(61), false],
      [2, no(361), false],
    ]);
    expect(await gaps()).toEqual([gap(2, 60, "down")]);
    const { data } = await w.call("/fair/gaps", { key: "k3-10s" }, { method: "GET" });
    expect(data).toEqual([gap(2, 360, "down")]);
  });

  it("records a gap across midnight with both its days", async () => {
    w.pass(DAY_MS + 90_000);
    await w.settle();
    expect(await gaps()).toEqual([{ gap_from: no(2), gap_to: "20260303-0001", reason: "down" }]);
    expect((await info()).commit).toBe(chainOf(w.deps.keys.now.master, KEY, "20260303", 1_440)[1]);
  });
});

describe("a new game", () => {
  it("begins with the running round, in the middle of it", async () => {
    await w.close();
    w = await roundsWorld(START + 3 * 60_000 + 41_500);
    expect(await info()).toMatchObject({ next_expect: no(4), state: "open", second: 16 });
    await w.live(60_000);
    expect(faultsOf(await fair(no(4)))).toEqual([]);
    expect(await gaps()).toEqual([]);
  });

  it("waits for the next round when it begins in a closing time", async () => {
    await w.close();
    w = await roundsWorld(START + 57_000);
    const paused = { state: "paused", next_expect: null, second: 0, close_ms: null, draw_ms: null, commit: null };
    expect(await info()).toMatchObject(paused);
    await w.live(2_999);
    expect(await rounds()).toEqual([]);
    await w.live(1);
    expect(await info()).toMatchObject({ state: "open", next_expect: no(2), second: 57 });
    expect(await gaps()).toEqual([]);
  });
});

describe("the anchors", () => {
  /** Without where the log says them. */
  const shown = async () => (await anchors()).map(({ day, anchor }) => ({ day, anchor }));
  const days = (from: string, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const day = new Date(Date.parse(from) + i * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
      return { day, anchor: chainOf(w.deps.keys.now.master, KEY, day, 1_440)[0] };
    });

  it("are public from the first day to seven days ahead", async () => {
    expect(await shown()).toEqual(days("2026-03-02", 8));
  });

  it("grow by one at each midnight, and never change", async () => {
    await w.live(DAY_MS - 1);
    expect(await anchors()).toHaveLength(8);
    await w.live(1);
    expect(await shown()).toEqual(days("2026-03-02", 9));
  });

  it("are filled in completely after days of downtime", async () => {
    w.pass(30 * DAY_MS);
    await w.restart();
    await w.settle();
    expect(await shown()).toEqual(days("2026-03-02", 38));
    await w.live(60_000);
    expect(faultsOf(await fair("20260401-0001"))).toEqual([]);
  });

  it("exist before the first round of a game that is paused from the start", async () => {
    await w.game({ ...MINUTE_GAME, key: "k3-3m", periodS: 180 });
    const before = { gameId: 2, fromDay: 1, fromNumber: 1, paused: true, announcedAt: 0 };
    await w.deps.db.transact((tx) => tx.insert(pauses).values(before));
    await w.live(1);
    const { data } = await w.call("/fair/anchors", { key: "k3-3m" }, { method: "GET" });
    expect(data[0]).toMatchObject({
      day: "20260302",
      anchor: chainOf(w.deps.keys.now.master, "k3-3m", "20260302", 480)[0],
    });
    expect(data).toHaveLength(8);
  });
});
