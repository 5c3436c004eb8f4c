import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { deposits, sandboxCheckouts } from "#db/schema/payments.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { bodyOf, deliver, listOf, ordered, shop, stateOf, tap } from "./shop.ts";

let w: World;
let mia: Player;
let orderNo: string;

beforeEach(async () => {
  w = await shop();
  mia = await w.player("mia_1");
  orderNo = await ordered(mia, 10);
});
afterEach(() => w.close());

const decideSilently = (state: "paid" | "failed") =>
  w.deps.db.transact((tx) => tx.update(sandboxCheckouts).set({ state }).where(eq(sandboxCheckouts.orderNo, orderNo)));
const later = async (ms: number) => {
  w.pass(ms);
  await w.site.payments.tick();
};
const state = () => stateOf(w, mia.memberId);

describe("an unpaid order", () => {
  it("expires after half an hour", async () => {
    await later(30 * MINUTE_MS - 1);
    expect(await listOf(mia)).toMatchObject([{ status: 1 }]);
    await later(1);
    expect(await listOf(mia)).toMatchObject([{ status: 3, status_text: "Failed or expired", pay_time: 0 }]);
    expect(await state()).toMatchObject({ balance: 0, version: 0, credits: 0 });
  });

  it("is credited once when the payment comes late", async () => {
    await later(31 * MINUTE_MS);
    w.pass(26 * 60 * MINUTE_MS);
    for (let i = 0; i < 3; i++) expect((await deliver(w, bodyOf(w, { order: orderNo }))).code).toBe(200);
    expect(await state()).toEqual({ balance: 1_000, version: 1, deposited: 1_000, statuses: ["paid"], credits: 1 });
    expect(await listOf(mia)).toMatchObject([{ status: 2, pay_time: Math.floor(w.now() / 1000) }]);
  });

  it("is closed on its page, before the clock has noticed and after", async () => {
    w.pass(30 * MINUTE_MS);
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(303);
    await later(1);
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(303);
    expect(await state()).toMatchObject({ balance: 0, statuses: ["failed"] });
  });

  it("has no page where the channel is not offered", async () => {
    await set(w, "pay_banklist", "stripe");
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(404);
    expect((await deliver(w, bodyOf(w, { order: orderNo }))).code).toBe(404);
    expect(await state()).toMatchObject({ balance: 0, statuses: ["waiting"] });
  });

  it("of a channel that is set up no longer expires a day later: nobody can be asked about it", async () => {
    const [order] = await w.deps.db.read.select().from(deposits).where(eq(deposits.orderNo, orderNo));
    const { id: _id, ...row } = order!;
    const gone = { ...row, orderNo: "dep_of_a_channel_gone", channel: "gone", requestKey: null };
    await w.deps.db.transact((tx) => tx.insert(deposits).values(gone));
    await later(DAY_MS + 30 * MINUTE_MS - 1);
    expect(await state()).toMatchObject({ statuses: ["failed", "waiting"] });
    await later(1);
    expect(await state()).toMatchObject({ statuses: ["failed", "failed"] });
  });

  it("does not keep others from expiring, however many there are", async () => {
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => w.player(`ben_${i}`)));
    for (const one of many) for (let i = 0; i < 5; i++) await ordered(one, 1);
    await later(31 * MINUTE_MS);
    await later(1);
    const states = await Promise.all([mia, ...many].map(({ memberId }) => stateOf(w, memberId)));
    expect(new Set(states.flatMap(({ statuses }) => statuses))).toEqual(new Set(["failed"]));
  });
});

describe("an order whose notification was lost", () => {
  it("is credited when it lapses, because the channel is asked first", async () => {
    await decideSilently("paid");
    await later(30 * MINUTE_MS);
    expect(await state()).toEqual({ balance: 1_000, version: 1, deposited: 1_000, statuses: ["paid"], credits: 1 });
    await deliver(w, bodyOf(w, { order: orderNo }));
    await later(30 * MINUTE_MS);
    expect((await state()).credits).toBe(1);
  });

  it("fails when the channel says so", async () => {
    await decideSilently("failed");
    await later(30 * MINUTE_MS);
    expect(await state()).toMatchObject({ balance: 0, statuses: ["failed"], credits: 0 });
  });

  it("because the server was draining is credited by the next one", async () => {
    w.site.health.draining = true;
    expect((await tap(w, orderNo, "pay")).statusCode).toBe(503);
    expect((await state()).balance).toBe(0);
    await w.restart();
    await later(30 * MINUTE_MS);
    expect(await state()).toMatchObject({ balance: 1_000, statuses: ["paid"], credits: 1 });
  });

  it("is credited once when the notification comes while the channel is asked", async () => {
    await decideSilently("paid");
    w.pass(30 * MINUTE_MS);
    await Promise.all([w.site.payments.tick(), deliver(w, bodyOf(w, { order: orderNo })), tap(w, orderNo, "pay")]);
    expect(await state()).toMatchObject({ balance: 1_000, version: 1, credits: 1 });
  });
});
