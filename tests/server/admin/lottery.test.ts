import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestSocket } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

const MINUTE = 60_000;

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const info = async (key: string) => (await w.call("/Lottery/getLotteryInfo", { key }, { method: "GET" })).data;

describe("lottery:add", () => {
  it("adds a game whose rounds open at the clock's next tick", async () => {
    const words = ["k3-fast", "--name", '{"en_us": "Fast", "ko_kr": "빠른"}', "--period", "20", "--close", "4"];
    expect(await ask(w, "lottery:add", ...words)).toEqual({ ok: true, id: "lot_1", key: "k3-fast" });
    expect(await info("k3-fast")).toMatchObject({ state: "paused", next_expect: null });
    await w.live(1_000);
    expect(await info("k3-fast")).toMatchObject({
      id: "lot_1",
      period: 20,
      state: "open",
      next_expect: "20260302-0001",
      second: 15,
      close_ms: w.now() + 15_000,
      draw_ms: w.now() + 19_000,
    });
    const { data } = await w.call("/fair/anchors", { key: "k3-fast" }, { method: "GET" });
    expect(data).toHaveLength(8);
  });

  it("explains in its help that a name may be given by language", async () => {
    const { out } = await operate(w, "lottery:add", "--help");
    expect(out).toContain('T is a text, or JSON {"en_us": "…"} by language');
  });
});

describe("lottery:pause and lottery:resume", () => {
  it("let the open round be drawn and paid, open none after it, and leave one public gap", async () => {
    await w.game();
    const mia = await w.player("mia_1", { balance: 100 });
    await w.live(1_000);
    const line = new TestSocket(await w.listen());
    await line.watch("k3-1m");
    expect(await ask(w, "lottery:pause", "k3-1m")).toEqual({ ok: true, paused: true });
    const bet = { item: "A,B", money: "10", lid: "lot_1", mid: "", expect: "20260302-0001" };
    expect((await mia.call("/game/placeOrder", bet)).code).toBe(200);

    await w.live(58_000);
    await w.live(2_000);
    expect((await line.until("lottery:result")).expect).toBe("20260302-0001");
    expect((await mia.call("/member/getUserGameList")).data).toMatchObject([{ id: "bet_1", status: 1 }]);
    expect(await info("k3-1m")).toMatchObject({ state: "paused", next_expect: null, now_expect: "20260302-0001" });
    await w.live(2 * MINUTE);
    expect(await info("k3-1m")).toMatchObject({ state: "paused" });

    expect(await ask(w, "lottery:resume", "k3-1m")).toEqual({ ok: true, paused: false });
    await w.live(1_000);
    const open = ({ state }: { state: string }) => state === "open";
    await line.until("lottery:countdown", (countdown) => open(countdown) && countdown.expect === "20260302-0004");
    line.close();
    const { data } = await w.call("/fair/gaps", { key: "k3-1m" }, { method: "GET" });
    // Its reason is found by the times of both commands, which are real time and not this world's.
    expect(data).toMatchObject([{ gap_from: "20260302-0002", gap_to: "20260302-0003" }]);
  });
});
