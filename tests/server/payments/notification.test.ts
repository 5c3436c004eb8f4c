import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lock } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { bodyOf, deliver, listOf, ordered, shop, signOf, stateOf } from "./shop.ts";

let w: World;
let mia: Player;
let orderNo: string;
let count = 0;

beforeAll(async () => {
  w = await shop();
});
afterAll(() => w.close());
beforeEach(async () => {
  mia = await w.player(`mia_${++count}`);
  orderNo = await ordered(mia, 10);
});

const state = () => stateOf(w, mia.memberId);
const secondsNow = () => Math.floor(w.now() / 1000);

describe("a notification", () => {
  it("credits its order", async () => {
    expect(await deliver(w, bodyOf(w, { order: orderNo }))).toEqual({ status: 200, code: 200, data: null });
    expect(await state()).toEqual({ balance: 1_000, version: 1, deposited: 1_000, statuses: ["paid"], credits: 1 });
    const { list } = (await mia.call("/member/getMoneylog")).data;
    expect(list).toMatchObject([{ type: "deposit", money: "10.00", balance: "10.00", version: 1 }]);
    expect((await mia.call("/member/getPersonalreport")).data.recharge).toBe("10.00");
  });

  it("credits once when twenty come at once", async () => {
    const bodies = Array.from({ length: 20 }, (_, i) => bodyOf(w, { order: orderNo, time: String(secondsNow() - i) }));
    const answers = await Promise.all(bodies.map((body) => deliver(w, body)));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
    expect(await state()).toEqual({ balance: 1_000, version: 1, deposited: 1_000, statuses: ["paid"], credits: 1 });
  });

  it("redelivered later, and signed again, changes nothing more", async () => {
    await deliver(w, bodyOf(w, { order: orderNo }));
    const after = await state();
    w.pass(3_600_000);
    expect((await deliver(w, bodyOf(w, { order: orderNo }))).code).toBe(200);
    expect((await deliver(w, bodyOf(w, { order: orderNo, status: "failed" }))).code).toBe(200);
    expect(await state()).toEqual(after);
  });

  it("may be five minutes off, either way", async () => {
    const time = String(secondsNow() - 300);
    expect((await deliver(w, bodyOf(w, { order: orderNo, time }))).code).toBe(200);
    const ahead = String(secondsNow() + 300);
    expect((await deliver(w, bodyOf(w, { order: await ordered(mia, 10), time: ahead }))).code).toBe(200);
    expect((await state()).credits).toBe(2);
  });

  it("credits a locked member too", async () => {
    await lock(w, mia.memberId, true);
    expect((await deliver(w, bodyOf(w, { order: orderNo }))).code).toBe(200);
    expect((await state()).balance).toBe(1_000);
  });

  it("of a failure ends the order, unless a genuine payment follows", async () => {
    await deliver(w, bodyOf(w, { order: orderNo, status: "failed" }));
    expect(await state()).toMatchObject({ balance: 0, statuses: ["failed"], credits: 0 });
    await deliver(w, bodyOf(w, { order: orderNo }));
    expect(await state()).toMatchObject({ balance: 1_000, statuses: ["paid"], credits: 1 });
    expect(await listOf(mia)).toMatchObject([{ status: 2, pay_time: secondsNow() }]);
  });
});

describe("a tampered notification", () => {
  type Forgery = { body: string; signature?: string };
  const forgeries: [string, (good: string) => Forgery, string][] = [
    [
      "a larger amount under the old signature",
      (good) => ({ body: good.replace("10.00", "99.00"), signature: signOf(w, good) }),
      "payment.unsigned",
    ],
    [
      "another order under the old signature",
      (good) => ({ body: good.replace("dep_", "dep_x"), signature: signOf(w, good) }),
      "payment.unsigned",
    ],
    [
      "another status under the old signature",
      (good) => ({ body: good.replace("paid", "failed"), signature: signOf(w, good) }),
      "payment.unsigned",
    ],
    ["a field more", (good) => ({ body: `${good}&money=99.00`, signature: signOf(w, good) }), "payment.unsigned"],
    ["no signature", (good) => ({ body: good, signature: "" }), "payment.unsigned"],
    ["a signature of zeros", (good) => ({ body: good, signature: "0".repeat(64) }), "payment.unsigned"],
    [
      "a signature in capitals",
      (good) => ({ body: good, signature: signOf(w, good).toUpperCase() }),
      "payment.unsigned",
    ],
    [
      "a signature that is cut",
      (good) => ({ body: good, signature: signOf(w, good).slice(0, 63) }),
      "payment.unsigned",
    ],
    [
      "a time long past",
      () => ({ body: bodyOf(w, { order: orderNo, time: String(secondsNow() - 301) }) }),
      "payment.unsigned",
    ],
    [
      "a time to come",
      () => ({ body: bodyOf(w, { order: orderNo, time: String(secondsNow() + 302) }) }),
      "payment.unsigned",
    ],
    ["no time", () => ({ body: bodyOf(w, { order: orderNo, time: "" }) }), "payment.unsigned"],
    ["a time that is none", () => ({ body: bodyOf(w, { order: orderNo, time: "soon" }) }), "payment.unsigned"],
    ["too little money", () => ({ body: bodyOf(w, { order: orderNo, money: "9.99" }) }), "payment.mismatch"],
    ["too much money", () => ({ body: bodyOf(w, { order: orderNo, money: "10.01" }) }), "payment.mismatch"],
    ["money that is none", () => ({ body: bodyOf(w, { order: orderNo, money: "1e1" }) }), "payment.mismatch"],
    ["negative money", () => ({ body: bodyOf(w, { order: orderNo, money: "-10.00" }) }), "payment.mismatch"],
    [
      "more money than there is",
      () => ({ body: bodyOf(w, { order: orderNo, money: `${"9".repeat(30)}.00` }) }),
      "payment.mismatch",
    ],
    ["an unknown status", () => ({ body: bodyOf(w, { order: orderNo, status: "credited" }) }), "payment.mismatch"],
    ["an order that nobody made", () => ({ body: bodyOf(w, { order: "dep_nobody" }) }), "object.unknown"],
    ["nothing in it", () => ({ body: "" }), "payment.mismatch"],
  ];

  it.each(forgeries)("by %s is refused and logged, and changes nothing", async (_how, forge, reason) => {
    const before = await state();
    const { body, signature } = forge(bodyOf(w, { order: orderNo }));
    w.logged.length = 0;
    w.deps.security.flush();
    const answer = await deliver(w, body, signature);
    expect(answer).toMatchObject({ status: 200, data: { reason } });
    expect(await state()).toEqual(before);
    const warnings = w.logged.map((line) => JSON.parse(line) as { level: number; channel?: string; reason?: string });
    expect(warnings).toContainEqual(expect.objectContaining({ level: 40, channel: "sandbox", reason }));
  });

  it("does not hinder the genuine one", async () => {
    await deliver(w, bodyOf(w, { order: orderNo, money: "99.00" }));
    await deliver(w, bodyOf(w, { order: orderNo }));
    expect((await state()).balance).toBe(1_000);
  });
});
