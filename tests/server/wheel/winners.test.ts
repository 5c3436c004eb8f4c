import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members } from "#db/schema/member.ts";
import { toSeconds } from "#shared/time.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { offer, points, prize, spin, wheelWorld } from "./wheel-world.ts";

/** Five seconds of turning and half a second of rest, with half a second to spare. */
const STOPPED_MS = 6_000;

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await wheelWorld(points("one", 100), points("two", 100));
  await set(w, "spin_daily", "50");
  mia = await w.player("mia_tran");
});
afterEach(() => w.close());

const winners = async (input: Record<string, string> = {}, lang = "en_us") =>
  (await mia.call("/luckdrawlog", input, { method: "POST", lang })).data;

describe("the list of winners", () => {
  it("shows who won what and when, with the name masked", async () => {
    await offer(w, points("one", 100, { title: { en_us: "A hundred", ko_kr: "백" } }), prize("two", { weight: 1 }));
    let { data } = await spin(mia);
    while (data.id !== "one") ({ data } = await spin(mia));
    w.pass(STOPPED_MS);
    const at = toSeconds(w.now() - STOPPED_MS);
    const win = { image: "/prizes/one.svg", mmname: "A hundred", username: "m***n", add_time: at, demo: 0 };
    expect(await winners()).toEqual([win]);
    expect(await winners({}, "ko_kr")).toEqual([{ ...win, mmname: "백" }]);
    expect((await mia.call("/system/luckdrawlog", {}, { lang: "en_us" })).data).toEqual([win]);
    expect(JSON.stringify(await winners())).not.toContain("tran");
  });

  it("never shows a prize before its wheel has stopped", async () => {
    await spin(mia);
    for (const ms of [0, 5_000, 500, 499]) {
      w.pass(ms);
      expect(await winners()).toEqual([]);
    }
    w.pass(1);
    expect(await winners()).toHaveLength(1);
    await spin(mia);
    expect(await winners()).toHaveLength(1);
  });

  it("has only real wins: no blanks, no refused spins", async () => {
    await offer(w, prize("none"), prize("nothing"));
    for (let i = 0; i < 5; i++) await spin(mia);
    await set(w, "spin_daily", "5");
    expect((await spin(mia)).code).toBe(422);
    w.pass(STOPPED_MS);
    expect(await winners()).toEqual([]);
  });

  it("marks a demo member's", async () => {
    await w.deps.db.transact((tx) => tx.update(members).set({ demo: true }).where(eq(members.id, mia.memberId)));
    await spin(mia);
    w.pass(STOPPED_MS);
    expect(await winners()).toMatchObject([{ demo: 1 }]);
  });

  it("keeps showing what was won, even if the operator changes the prize later", async () => {
    await spin(mia);
    w.pass(STOPPED_MS);
    const before = await winners();
    const grand = { title: "A car", image: "/prizes/car.svg" };
    await offer(w, points("one", 100, grand), points("two", 100, grand));
    expect(await winners()).toEqual(before);
  });

  it("is newest first, in pages of twenty by default", async () => {
    for (let i = 0; i < 25; i++) {
      await spin(mia);
      w.pass(1_000);
    }
    w.pass(STOPPED_MS);
    const all = (await winners({ limit: "50" })).map(({ add_time }) => add_time);
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(all).toHaveLength(25);
    const pages = [await winners(), await winners({ page: "2" }), await winners({ page: "3" })];
    expect(pages.map(({ length }) => length)).toEqual([20, 5, 0]);
    expect(pages.flat().map(({ add_time }) => add_time)).toEqual(all);
  });
});

describe("the prizes", () => {
  const prizeNamed = (id: string) => ({ id, title: `Prize ${id}`, image: `/prizes/${id}.svg` });

  it("are in the order of the wheel, with what they give and their chances, which add up to one", async () => {
    await offer(w, points("big", 500, { weight: 1 }), prize("none", { weight: 7 }), points("out", 1, { stock: 0 }));
    for (const path of ["/luckdrawlist", "/system/luckdrawlist"]) {
      const { data } = await mia.call(path, {}, { method: "POST" });
      expect(data).toEqual([
        { ...prizeNamed("big"), weight: 1, probability: 0.125, kind: "points", amount: "5.00" },
        { ...prizeNamed("none"), weight: 7, probability: 0.875, kind: "thanks", amount: "0" },
      ]);
    }
  });
});
