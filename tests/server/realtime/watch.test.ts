import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { maintainHub } from "#server/realtime/upkeep.ts";
import { messagesOf } from "../http/endpoints.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { SocketClients, type SocketClient } from "./socket-client.ts";

let w: World;
let clients: SocketClients;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  clients = new SocketClients(await w.listen());
});
afterEach(async () => {
  clients.close();
  await w.close();
});

const FIRST = "20260302-0001";

describe("watching a game", () => {
  it("answers as getLotteryInfo does, and a countdown follows", async () => {
    const guest = await clients.open({ lang: "ru_ru" });
    const { code, msg, data } = await guest.watch("k3-1m");
    const { data: info } = await w.call("/Lottery/getLotteryInfo", { key: "k3-1m" }, { method: "GET", lang: "ru_ru" });
    expect([code, msg]).toEqual([200, messagesOf("ru_ru").done]);
    expect(data).toEqual(info);
    expect(await guest.next("lottery:countdown")).toEqual({
      key: "k3-1m",
      expect: FIRST,
      state: "open",
      second: 56,
      close_ms: data!.close_ms,
      draw_ms: data!.draw_ms,
      server_now_ms: w.now(),
      commit: data!.commit,
      beacon: "none",
      awaits_beacon: null,
      pause: null,
    });
  });

  it("brings the closing, the draw and the next opening", async () => {
    const guest = await clients.open();
    await guest.watch("k3-1m");
    await w.live(56_000);
    expect(await guest.next("lottery:countdown", ({ state }) => state === "drawing")).toMatchObject({
      expect: FIRST,
      second: 0,
      server_now_ms: w.now(),
    });
    await w.live(3_000);
    const result = await guest.next("lottery:result");
    const { data: fair } = await w.call("/fair/round", { key: "k3-1m", expect: FIRST }, { method: "GET" });
    const sum = (fair.opencode as number[]).reduce((a, b) => a + b);
    expect(result).toEqual({
      key: "k3-1m",
      kind: "dice-sum",
      expect: FIRST,
      opencode: fair.opencode,
      one: sum >= 11 ? "A" : "B",
      two: sum % 2 ? "C" : "D",
      sum,
      seed: fair.seed,
      rule: "none",
      beacon: "",
      beacon_signature: "",
      head: expect.any(Number) as number,
    });
    const next = await guest.next("lottery:countdown", (countdown) => countdown.expect === "20260302-0002");
    expect(next).toMatchObject({ state: "open", second: 57, close_ms: w.now() + 57_000, draw_ms: w.now() + 60_000 });
  });

  it("repeats the deadline every ten seconds", async () => {
    const guest = await clients.open();
    await guest.watch("k3-1m");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stop = maintainHub(w.site.hub, w.deps);
    w.pass(10_000);
    vi.advanceTimersByTime(10_000);
    stop();
    vi.useRealTimers();
    expect(await guest.next("lottery:countdown", ({ second }) => second === 46)).toMatchObject({ expect: FIRST });
  });

  it("ends on request, and brings nothing of other games", async () => {
    await w.game({ ...MINUTE_GAME, key: "other" });
    await w.live(0);
    const [here, gone] = [await clients.open(), await clients.open()];
    for (const client of [here, gone]) await client.watch("k3-1m");
    gone.socket.emit("lottery:unwatch", "k3-1m");
    await gone.drained();
    const before = gone.received.length;
    await w.live(59_000);
    await here.next("lottery:result");
    await gone.drained();
    expect(gone.received).toHaveLength(before);
    expect(new Set(here.all("lottery:countdown").map(({ key }) => key))).toEqual(new Set(["k3-1m"]));
    expect(here.all("lottery:result")).toHaveLength(1);
  });
});

describe("how many watch a game", () => {
  const screens = (client: SocketClient, count: number) =>
    client.next("lottery:watching", (watching) => watching.key === "k3-1m" && watching.screens === count);

  it("is told at once to who comes, and to the others in the next turn, if it has changed", async () => {
    const [first, second] = [await clients.open(), await clients.open()];
    await first.watch("k3-1m");
    await screens(first, 1);
    await second.watch("k3-1m");
    await screens(second, 2);
    for (let turn = 0; turn < 3; turn++) await w.site.hub.watchers.turn();
    await screens(first, 2);
    second.socket.emit("lottery:unwatch", "k3-1m");
    await second.drained();
    await w.site.hub.watchers.turn();
    await expect.poll(() => first.all("lottery:watching").map((told) => told.screens)).toEqual([1, 2, 1]);
    expect(second.all("lottery:watching")).toHaveLength(2);
  });

  it("does not hold who has gone", async () => {
    const [first, second] = [await clients.open(), await clients.open()];
    for (const client of [first, second]) await client.watch("k3-1m");
    await screens(second, 2);
    second.socket.close();
    await expect.poll(() => w.site.hub.watchers.of("k3-1m")).toBe(1);
  });
});

describe("watching what cannot be watched", () => {
  it("is answered 404 for an unknown game", async () => {
    const guest = await clients.open({ lang: "es_spa" });
    expect(await guest.watch("none")).toMatchObject({
      code: 404,
      msg: messagesOf("es_spa").refusal.object!.unknown,
      data: { reason: "object.unknown" },
    });
  });

  it("is answered 400 for a malformed key, with a reason in the socket's language", async () => {
    const guest = await clients.open({ lang: "zh-tw" });
    const { refusal, field } = messagesOf("zh-tw");
    const odd = [7, null, true, {}, { key: "k3-1m" }, ["k3-1m"], "", "k3 1m", "a".repeat(65), "\u202ek3", "k3\u0000"];
    for (const key of odd) {
      const { code, msg, data } = await guest.ask("lottery:watch", key);
      expect([key, code, msg]).toEqual([key, 400, refusal.input!.invalid]);
      const { fields } = data as unknown as { fields: { key: string } };
      expect(Object.values(field)).toContain(fields.key);
    }
  });

  it("is answered 400 without a key, and harms no one without an acknowledgement", async () => {
    const guest = await clients.open();
    expect((await guest.ask("lottery:watch")).code).toBe(400);
    const emit = guest.socket.emit.bind(guest.socket) as unknown as (event: string, ...given: unknown[]) => void;
    for (const given of [[], ["k3-1m"], [{ a: 1 }, "no function"], [null, null]]) emit("lottery:watch", ...given);
    for (const given of [[], [7], [{}], [null]]) emit("lottery:unwatch", ...given);
    emit("nobody:listens", 1);
    expect((await guest.watch("k3-1m")).code).toBe(200);
  });

  it("is refused beyond twenty games, and the twenty stay", async () => {
    for (let i = 1; i <= 20; i++) await w.game({ ...MINUTE_GAME, key: `game-${i}` });
    await w.live(0);
    const guest = await clients.open();
    for (let i = 1; i <= 20; i++) expect((await guest.watch(`game-${i}`)).code).toBe(200);
    expect(await guest.watch("k3-1m")).toMatchObject({ code: 429, data: { reason: "attempts.many" } });
    expect((await guest.watch("game-20")).code).toBe(200);
    guest.socket.emit("lottery:unwatch", "game-1");
    expect((await guest.watch("k3-1m")).code).toBe(200);
  });
});
