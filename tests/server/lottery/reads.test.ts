import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { odds, pauses } from "#db/schema/index.ts";
import { DAY_MS, dayOf } from "#shared/time.ts";
import { chainOf } from "../../support/chain.ts";
import { isWon } from "../../support/recompute.ts";
import { MINUTE_GAME, START, world, type World } from "../../support/world.ts";
import { KEY } from "./rounds-world.ts";

const DRAWN = 25;

let w: World;

// No test here changes what the others read: a game with a history, one that is slower, and one that is paused.
beforeAll(async () => {
  w = await world();
  await w.game({ ...MINUTE_GAME, name: { en_us: "One minute", vn_vn: "Một phút" } });
  await w.game({ ...MINUTE_GAME, key: "k3-3m", name: "Three minutes", periodS: 180 });
  await w.game({ ...MINUTE_GAME, key: "k3-5m", name: "Five minutes", periodS: 300 });
  const before = { gameId: 3, fromDay: dayOf(START) - 1, fromNumber: 3, paused: true, announcedAt: START - DAY_MS };
  await w.deps.db.transact((tx) => tx.insert(pauses).values(before));
  await w.settle();
  for (let i = 0; i < DRAWN; i++) await w.live(60_000);
});
afterAll(() => w.close());

async function get<P extends string>(path: P, input: Record<string, string> = {}, lang = "en_us") {
  const { code, data } = await w.call(path, input, { method: "GET", lang });
  return code === 200 ? data : { code, data };
}

const names = (rows: { expect: string }[]) => rows.map(({ expect }) => Number(expect.slice(9)));
const refusal = (code: number, reason: string) => ({ code, data: { reason } });
const fieldsOf = async (path: string, input: Record<string, string>) => {
  const { code, fields } = await w.call(path, input, { method: "GET" });
  return [code, Object.keys(fields!)];
};

describe("the games", () => {
  it("are listed in the order they were added, each with its round, dice and clock", async () => {
    const list = await get("/Lottery/lotteryList");
    expect(list.map(({ id, key, class: kind }) => [id, key, kind])).toEqual([
      ["lot_1", "k3-1m", "k3"],
      ["lot_2", "k3-3m", "k3"],
      ["lot_3", "k3-5m", "k3"],
    ]);
    expect(list[0]).toEqual(await get("/Lottery/getLotteryInfo", { key: KEY }));
    expect(list[0]).toMatchObject({
      name: "One minute",
      ico: "/icons/k3.svg",
      period: 60,
      now_expect: "20260302-0025",
      next_expect: "20260302-0026",
      state: "open",
      server_now_ms: START + DRAWN * 60_000,
    });
  });

  it("have their names in the caller's language", async () => {
    expect((await get("/Lottery/getLotteryInfo", { key: KEY }, "vn_vn")).name).toBe("Một phút");
    expect((await get("/Lottery/getLotteryInfo", { key: "k3-3m" }, "ko_kr")).name).toBe("Three minutes");
  });

  it("can be filtered by class and are paged", async () => {
    const keys = async (input: Record<string, string>) =>
      (await get("/Lottery/lotteryList", input)).map(({ key }: { key: string }) => key);
    expect((await get("/Lottery/itemlist"))[0]).toEqual({ key: "k3", name: "Three dice" });
    expect(await keys({ class: "k3" })).toEqual(["k3-1m", "k3-3m", "k3-5m"]);
    expect(await keys({ class: "" })).toHaveLength(3);
    expect(await keys({ class: "pair" })).toEqual([]);
    expect(await keys({ limit: "2", page: "2" })).toEqual(["k3-5m"]);
    expect(await keys({ page: "9" })).toEqual([]);
  });

  it("come with their last eight draws, as their history has them, and the name of their class", async () => {
    const drawn = await get("/Lottery/getLotteryOneList", { key: KEY, limit: "8" });
    const recent = drawn.map(({ expect: round, opencode }) => ({ expect: round, opencode }));
    expect(names(recent)).toEqual([25, 24, 23, 22, 21, 20, 19, 18]);
    const [first, slower, paused] = await get("/Lottery/lotteryList");
    expect([first!.recent, first!.class_name]).toEqual([recent, "Three dice"]);
    expect([names(slower!.recent).length, paused!.recent]).toEqual([8, []]);
  });

  it("that are running are the hot ones", async () => {
    const hot = await get("/Lottery/hotLottery");
    expect(hot.map(({ key }: { key: string }) => key)).toEqual(["k3-1m", "k3-3m"]);
  });

  it("that are paused and never ran have no round and no dice", async () => {
    expect(await get("/Lottery/getLotteryInfo", { key: "k3-5m" })).toMatchObject({
      state: "paused",
      second: 0,
      next_expect: null,
      close_ms: null,
      draw_ms: null,
      commit: null,
      now_expect: null,
      opencode: null,
      one: null,
      two: null,
    });
  });

  it("answer not found for an unknown key, and name a malformed one", async () => {
    expect(await get("/Lottery/getLotteryInfo", { key: "k3-9m" })).toEqual(refusal(404, "object.unknown"));
    expect(await fieldsOf("/Lottery/getLotteryInfo", {})).toEqual([400, ["key"]]);
    expect(await fieldsOf("/Lottery/getLotteryInfo", { key: "k3 1m" })).toEqual([400, ["key"]]);
  });
});

describe("the history", () => {
  const history = (input: Record<string, string> = {}) => get("/Lottery/getLotteryOneList", { key: KEY, ...input });

  it("lists the drawn rounds, newest first, twenty at a time", async () => {
    expect(names(await history())).toEqual(Array.from({ length: 20 }, (_, i) => DRAWN - i));
    expect(names(await history({ page: "2" }))).toEqual([5, 4, 3, 2, 1]);
    expect(names(await history({ limit: "50" }))).toHaveLength(DRAWN);
    expect(await history({ page: "3" })).toEqual([]);
    expect(await get("/Lottery/getLotteryOneList", { key: "k3-5m" })).toEqual([]);
  });

  it("shows each round's dice, their results, and when they were drawn", async () => {
    for (const { expect: name, opencode, one, two, sum, draw_time } of await history()) {
      expect(opencode).toEqual((await get("/fair/round", { key: KEY, expect: name })).opencode);
      expect(sum).toBe(opencode[0]! + opencode[1]! + opencode[2]!);
      expect([isWon(one!, opencode), isWon(two!, opencode)]).toEqual([true, true]);
      expect(draw_time).toBe(START / 1_000 + Number(name.slice(9)) * 60);
    }
  });

  it.each([{ page: "0" }, { page: "x" }, { limit: "51" }, { limit: "0" }, { page: "-1" }])(
    "refuses %o",
    async (input) => {
      expect(await fieldsOf("/Lottery/getLotteryOneList", { key: KEY, ...input })).toEqual([400, Object.keys(input)]);
    },
  );
});

describe("the odds", () => {
  const TYPES = [...Array.from({ length: 16 }, (_, i) => String(i + 3)), "A", "B", "C", "D"];
  const rolls = Array.from({ length: 216 }, (_, i) => [
    (i % 6) + 1,
    (Math.floor(i / 6) % 6) + 1,
    Math.floor(i / 36) + 1,
  ]);

  it("show for every option its decimal, its exact chance and its return", async () => {
    const table = await get("/Lottery/getLotteryPeilv", { id: "lot_1" });
    expect(table.map(({ type }: { type: string }) => type)).toEqual(TYPES);
    for (const { type, name, proportion, color, probability, rtp } of table) {
      const ways = rolls.filter((dice) => isWon(type, dice)).length;
      const target = /\d/.test(type) ? 950 : 975;
      const milli = Math.floor((target * 216) / ways);
      expect(proportion).toMatch(/^[1-9]\d*(\.\d{0,2}[1-9])?$/);
      expect(Math.round(Number(proportion) * 1_000)).toBe(milli);
      expect(probability).toBe(ways / 216);
      expect(rtp).toBeCloseTo((milli * ways) / 216_000, 12);
      expect(rtp).toBeLessThanOrEqual(target / 1_000);
      expect([name.length > 0, /^#[0-9a-f]{6}$/.test(color)]).toEqual([true, true]);
    }
  });

  it("are those of the rounds that open from now on", async () => {
    const milli = Array.from({ length: 20 }, () => 1_050);
    await w.deps.db.transact((tx) => tx.insert(odds).values({ gameId: 3, milli, createdAt: w.now() }));
    const table = await get("/Lottery/getLotteryPeilv", { id: "lot_3" });
    expect(new Set(table.map(({ proportion }: { proportion: string }) => proportion))).toEqual(new Set(["1.05"]));
    expect(await w.deps.db.read.select().from(odds).where(eq(odds.gameId, 3))).toHaveLength(2);
  });

  it("are not found for an unknown game", async () => {
    for (const id of ["lot_9", "k3-1m", "lot_"]) {
      expect(await get("/Lottery/getLotteryPeilv", { id })).toEqual(refusal(404, "object.unknown"));
    }
    expect(await fieldsOf("/Lottery/getLotteryPeilv", {})).toEqual([400, ["id"]]);
  });
});

describe("the fairness data", () => {
  const round = (name: string, key = KEY) => get("/fair/round", { key, expect: name });

  it("of a drawn round has its seed, of an open one only its commitment", async () => {
    const chain = chainOf(w.deps.keys.now.master, KEY, "20260302", 1_440);
    const [drawn, open] = [await round("20260302-0025"), await round("20260302-0026")];
    expect(drawn).toMatchObject({
      index: 25,
      commit: chain[24],
      seed: chain[25],
      anchor: chain[0],
      rule: "none",
      beacon: "",
    });
    expect(open).toMatchObject({ index: 26, commit: chain[25], seed: null, opencode: null, anchor: chain[0] });
  });

  it("does not exist for a round that was not opened", async () => {
    for (const name of ["20260302-0027", "20260302-1441", "20260302-0000", "20260301-1440", "20260230-0001"]) {
      expect(await round(name)).toEqual(refusal(404, "object.unknown"));
    }
    expect(await round("20260302-0001", "k3-5m")).toEqual(refusal(404, "object.unknown"));
    expect(await round("20260302-0001", "none")).toEqual(refusal(404, "object.unknown"));
  });

  it.each(["", "20260302", "20260302-1", "20260302-00001", "x", "20260302 0001"])(
    "names a malformed round %o",
    async (name) => {
      expect(await fieldsOf("/fair/round", { key: KEY, expect: name })).toEqual([400, ["expect"]]);
    },
  );

  it("has the anchors and gaps of known games only", async () => {
    expect(await get("/fair/anchors", { key: KEY })).toHaveLength(8);
    expect(await get("/fair/gaps", { key: KEY })).toEqual([]);
    expect(await get("/fair/anchors", { key: "none" })).toEqual(refusal(404, "object.unknown"));
    expect(await get("/fair/gaps", { key: "none" })).toEqual(refusal(404, "object.unknown"));
  });
});
