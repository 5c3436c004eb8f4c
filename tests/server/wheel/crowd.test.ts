import { afterEach, describe, expect, it } from "vitest";
import { prizes } from "#db/schema/wheel.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { offer, pairOf, points, prize, closeAudited, spin, spinRows, transferRows, wheelWorld } from "./wheel-world.ts";

const MANY = 200;

let w: World;
afterEach(() => closeAudited(w));

const times = <T>(many: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: many }, (_, i) => work(i)));
const stockOf = async (id: string) => (await w.deps.db.read.select().from(prizes)).find((one) => one.id === id)!.stock;

describe("two hundred spins at once", () => {
  it("of a member with one free spin are one", async () => {
    w = await wheelWorld(points("one", 100), points("two", 100));
    const mia = await w.player("mia_1");
    const replies = await times(MANY, () => spin(mia));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
    const reasons = replies.filter(({ code }) => code === 422).map(({ reason }) => reason);
    expect(reasons).toEqual(Array.from({ length: MANY - 1 }, () => "spins.none"));
    expect([await spinRows(w), await transferRows(w)].map((rows) => rows.length)).toEqual([1, 1]);
    expect((await pairOf(mia)).nonce).toBe(1);
  });

  it("of a member with one free spin, all with the same key, are one and have the same answer", async () => {
    w = await wheelWorld(points("one", 100), points("two", 100));
    const mia = await w.player("mia_1");
    const replies = await times(MANY, () => spin(mia, "tap"));
    expect(new Set(replies.map(({ code, data }) => JSON.stringify([code, data])))).toHaveProperty("size", 1);
    expect(await spinRows(w)).toHaveLength(1);
  });

  it("that are bought stop where the balance ends", async () => {
    w = await wheelWorld(prize("one"), prize("two"));
    await set(w, "spin_daily", "0");
    await set(w, "spin_price", "10");
    const mia = await w.player("mia_1", { balance: 77 });
    const replies = await times(MANY, () => spin(mia));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(7);
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("7.00");
    const nonces = (await spinRows(w)).map(({ nonce }) => nonce);
    expect(nonces).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe("a prize of which there is one", () => {
  let crowd: Player[];
  const open = async (many = MANY) => {
    w = await wheelWorld(points("rare", 5_000, { stock: 1, weight: 3 }), prize("none"));
    crowd = await times(many, (i) => w.player(`mia_${i}`));
  };

  it("is won by one of two hundred, and then its chances are gone", async () => {
    await open();
    const replies = await Promise.all(crowd.map((player) => spin(player)));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect(replies.filter(({ data }) => data.id === "rare")).toHaveLength(1);
    expect(await stockOf("rare")).toBe(0);
    expect(await transferRows(w)).toMatchObject([{ code: "prize", amount: 5_000 }]);
    const { data } = await crowd[0]!.call("/luckdrawlist", {});
    expect(data).toMatchObject([{ id: "none", weight: 1, probability: 1 }]);
    expect(data).toHaveLength(1);
  });

  it("is in the chances of each spin up to the one that won it, and of none after", async () => {
    await open(20);
    for (const player of crowd) await spin(player);
    const rows = await spinRows(w);
    const won = rows.findIndex(({ prizeId }) => prizeId === "rare");
    expect(rows.map(({ tableId }) => tableId)).toEqual(rows.map((_, i) => (i <= won ? 1 : 2)));
  });

  it("is offered again when the operator adds more", async () => {
    await open();
    for (const player of crowd.slice(0, 20)) await spin(player);
    expect(await stockOf("rare")).toBe(0);
    await offer(w, points("rare", 5_000, { stock: 2, weight: 3 }), prize("none"));
    const replies = await Promise.all(crowd.slice(20).map((player) => spin(player)));
    expect(replies.filter(({ data }) => data.id === "rare")).toHaveLength(2);
    expect(await stockOf("rare")).toBe(0);
  });

  it("closes the wheel when it was the last one, and no spin is used up", async () => {
    w = await wheelWorld(points("rare", 5_000, { stock: 1 }), points("rarer", 9_000, { stock: 1 }));
    crowd = await times(5, (i) => w.player(`mia_${i}`));
    const replies = await Promise.all(crowd.map((player) => spin(player)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(2);
    const late = crowd[replies.findIndex(({ code }) => code !== 200)]!;
    expect((await spin(late)).reason).toBe("prizes.none");
    expect((await pairOf(late)).spins_left).toBe(1);
  });
});
