import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import { fromUnits } from "#shared/money.ts";
import { LOCALES } from "#shared/locales.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { traces } from "../../support/ledger.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { messagesOf } from "../http/endpoints.ts";
import { bodyOf, deliver, listOf, order, ordered, PUBLIC_URL, shop, stateOf, tap } from "./shop.ts";

let w: World;
let mia: Player;
let count = 0;

beforeAll(async () => {
  w = await shop();
});
afterAll(() => w.close());
beforeEach(async () => {
  mia = await w.player(`mia_${++count}`);
});

const UNTOUCHED = { balance: 0, version: 0, deposited: 0, statuses: [], credits: 0 };

describe("ordering a top-up", () => {
  it("answers with an address that shows nothing but the order, and moves no money", async () => {
    const { code, data } = await order(mia, 10);
    expect(code).toBe(200);
    expect(data.pay_url).toBe(`${PUBLIC_URL}/pay/sandbox/${data.order}`);
    expect(Buffer.from(data.order.slice("dep_".length), "base64url")).toHaveLength(16);
    expect(await stateOf(w, mia.memberId)).toEqual({ ...UNTOUCHED, statuses: ["waiting"] });
  });

  it("makes a new order each time", async () => {
    expect(await ordered(mia, 10)).not.toBe(await ordered(mia, 10));
  });

  it.each(["bank", "operator", "__proto__", "SANDBOX"])("is refused with the channel %j", async (pay_way) => {
    const { code, data } = await mia.call("/member/doRecharge", { pay_way, money: "10" }, { lang: "ko_kr" });
    expect([code, data]).toEqual([400, { fields: { pay_way: messagesOf("ko_kr").field.payWay } }]);
    expect(await stateOf(w, mia.memberId)).toEqual(UNTOUCHED);
  });

  it.each(["0", "-1", "1.5", "2000000001", "1e3"])("is refused for the amount %s", async (money) => {
    expect((await order(mia, money)).data).toHaveProperty("fields.money");
    expect(await stateOf(w, mia.memberId)).toEqual(UNTOUCHED);
  });

  it("is refused while top-ups are closed; earlier orders are credited", async () => {
    const before = await ordered(mia, 10);
    await set(w, "close_recharge", "1");
    const { code, msg, data } = await order(mia, 10, "ms_my");
    expect([code, data]).toEqual([403, { reason: "recharge.closed" }]);
    expect(msg).toBe(messagesOf("ms_my").refusal.recharge!.closed);
    await deliver(w, bodyOf(w, { order: before }));
    await set(w, "close_recharge", "0");
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 1_000, statuses: ["paid"] });
  });

  it("is refused while five orders wait for payment, in each language, and leaves no trace", async () => {
    const orders = [];
    for (let i = 0; i < 5; i++) orders.push(await ordered(mia, 10));
    const before = await traces(w);
    for (const { code: lang } of LOCALES) {
      const { code, msg, data } = await order(mia, 10, lang);
      expect([code, data]).toEqual([422, { reason: "recharge.open" }]);
      expect(msg).toBe(messagesOf(lang).refusal.recharge!.open);
    }
    expect(await traces(w)).toEqual(before);
    await tap(w, orders[0]!, "fail");
    expect((await order(mia, 10)).code).toBe(200);
    expect((await order(mia, 10)).code).toBe(422);
    w.pass(30 * MINUTE_MS);
    await w.site.payments.tick();
    expect((await order(mia, 10)).code).toBe(200);
  });

  it("accepts five of twenty concurrent orders", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => order(mia, 10)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(5);
    expect((await stateOf(w, mia.memberId)).statuses).toHaveLength(5);
  });
});

describe("a member's own limit on top-ups", () => {
  it("counts orders when they are made, paid or not, day by day", async () => {
    await mia.call("/member/limits", { recharge_day: "50" });
    const first = await ordered(mia, 30);
    await tap(w, first, "fail");
    expect((await order(mia, 21)).data).toMatchObject({ reason: "limit.reached", limit: "recharge_day" });
    expect((await stateOf(w, mia.memberId)).statuses).toEqual(["failed"]);
    expect((await order(mia, 20)).code).toBe(200);
    expect((await order(mia, 1)).code).toBe(422);
    w.pass(DAY_MS);
    expect((await order(mia, 50)).code).toBe(200);
  });

  it("accepts exactly three of twenty concurrent orders", async () => {
    await mia.call("/member/limits", { recharge_week: "30" });
    const replies = await Promise.all(Array.from({ length: 20 }, () => order(mia, 10)));
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(3);
    expect((await stateOf(w, mia.memberId)).statuses).toHaveLength(3);
  });

  it("does not stop a payment that was ordered before it", async () => {
    const before = await ordered(mia, 10);
    await mia.call("/member/limits", { recharge_day: "1" });
    await deliver(w, bodyOf(w, { order: before }));
    expect((await stateOf(w, mia.memberId)).balance).toBe(1_000);
  });

  it("or a break refuses new orders, and credits open ones", async () => {
    const before = await ordered(mia, 10);
    const until = String(Math.floor(w.now() / 1000) + 2 * 86_400);
    await mia.call("/member/limits", { exclude_until: until });
    const { code, data } = await order(mia, 10);
    expect([code, data]).toEqual([403, { reason: "member.excluded" }]);
    await deliver(w, bodyOf(w, { order: before }));
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 1_000, statuses: ["paid"] });
  });
});

describe("the list of top-ups", () => {
  it("has the member's own, each with its status in their language, newest first", async () => {
    const ben = await w.player(`ben_${count}`);
    await ordered(ben, 99);
    const numbers = [await ordered(mia, 1), await ordered(mia, 2), await ordered(mia, 3)];
    await tap(w, numbers[1]!, "pay");
    await tap(w, numbers[2]!, "fail");
    const gift = { memberId: mia.memberId, amount: fromUnits(4), reason: "Paid at the desk" };
    await w.deps.db.transact((tx) => creditDeposit(tx, w.deps, gift));
    const { deposit, channel } = messagesOf("es_spa") as unknown as Record<string, Record<string, string>>;
    const paidAt = Math.floor(w.now() / 1000);
    const [credited, ...own] = await listOf(mia, "es_spa");
    expect(credited).toMatchObject({ status: 4, money: "4.00", desc: "Paid at the desk", pay_time: paidAt });
    expect(own).toMatchObject([
      { id: numbers[2], status: 3, status_text: deposit!["failed"], money: "3.00", pay_time: 0 },
      { id: numbers[1], status: 2, status_text: deposit!["paid"], money: "2.00", pay_time: paidAt },
      { id: numbers[0], status: 1, status_text: deposit!["waiting"], desc: channel!["sandbox"], pay_time: 0 },
    ]);
    expect(await listOf(ben)).toHaveLength(1);
  });
});
