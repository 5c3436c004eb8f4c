import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { roundText } from "#shared/lottery/schedule.ts";
import { dayOf, DAY_MS } from "#shared/time.ts";
import { TestSocket } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

const info = async (key: string) => (await w.call("/Lottery/getLotteryInfo", { key }, { method: "GET" })).data;

describe("lottery:add", () => {
  it("adds a game whose rounds open at the clock's next tick", async () => {
    // The command has the real clock, and no round opens before its game's first odds.
    const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    w.jump(midnight - w.now());
    const words = ["k3-fast", "--name", '{"en_us": "Fast", "ko_kr": "빠른"}', "--period", "20", "--close", "4"];
    expect(await ask(w, "lottery:add", ...words)).toEqual({ ok: true, id: "lot_1", key: "k3-fast" });
    expect(await info("k3-fast")).toMatchObject({ state: "paused", next_expect: null });
    await w.live(1_000);
    expect(await info("k3-fast")).toMatchObject({
      id: "lot_1",
      period: 20,
      state: "open",
      next_expect: roundText({ day: dayOf(midnight), number: 1 }),
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
  it("act from the round after next by the operator's clock, say which, and tell watchers with the reason", async () => {
    const now = Date.now();
    // The command has the real clock, so this world has it too.
    w.jump(now - w.now());
    await w.game({ key: "k3-day", name: "Daily", periodS: 86_400, closeS: 3 });
    await w.live(1_000);
    const line = new TestSocket(await w.listen());
    await line.watch("k3-day");
    const dayAfterNext = `${new Date(now + 2 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "")}-0001`;
    const reason = ["--reason", '{"en_us": "Repairs", "ko_kr": "점검"}'];

    const said = await ask(w, "lottery:pause", "k3-day", ...reason);
    expect(said).toEqual({ ok: true, paused: true, from: dayAfterNext });
    expect(await ask(w, "lottery:pause", "k3-day")).toEqual(said);
    await line.until("lottery:countdown", (countdown) => countdown.pause?.from === dayAfterNext);
    expect(await info("k3-day")).toMatchObject({ state: "open", pause: { from: dayAfterNext, until: null } });
    const { data } = await w.call("/fair/pauses", { key: "k3-day" }, { method: "GET", lang: "ko_kr" });
    expect(data).toEqual([
      { from: dayAfterNext, paused: true, reason: "점검", announced: expect.any(Number) as number },
    ]);

    const { out } = await operate(w, "lottery:resume", "k3-day");
    expect(out).toBe(`k3-day opens again with round ${dayAfterNext}. Members are told now.\n`);
    await line.until("lottery:countdown", ({ pause }) => pause === null);
    line.close();
  });

  it("refuse to open a game that was never paused", async () => {
    await w.game();
    const { exit, err } = await operate(w, "lottery:resume", "k3-1m");
    expect([exit, err]).toEqual([1, "k3-1m is not paused\n"]);
  });
});
