import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rechargeReview } from "#server/admin/recharge.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { BtcpayServer } from "../../support/btcpay-server.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { btcpayWorld, orderBy, seen, tellByBtcpay } from "./provider-world.ts";

let w: World;
let btcpay: BtcpayServer;
let close: () => Promise<void>;
let mia: Player;

beforeEach(async () => {
  ({ w, provider: btcpay, close } = await btcpayWorld());
  mia = await w.player("mia_1");
});
afterEach(() => close());

const order = () => orderBy(mia, "btcpay", 10);
const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};
const review = (options: Record<string, string>) => rechargeReview.run(w.deps as never, { args: {}, options });
const PAID = { balance: 10, orders: ["paid"], ledger: ["deposit +10"], owes: 0, reviews: [] };

const lines = async () => (await review({})).text;
const desc = async () => (await mia.call("/member/getUserRechargeList", undefined, { lang: "en_us" })).data[0]!.desc;

describe("an invoice that was overpaid", () => {
  it("credits what was ordered; the surplus is shown until the operator has returned it", async () => {
    const orderNo = await order();
    const delivery = btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 1_250 });
    for (const one of [delivery, delivery]) await tellByBtcpay(w, one);
    expect(await look()).toMatchObject(PAID);
    expect(await lines()).toMatch(`${orderNo}  mia_1`);
    expect(await lines()).toMatch(/ordered 10.00, received 12.50 EUR {2}surplus 2.50$/);
    expect(await desc()).toContain("€2.50 of the payment was not credited: it will be returned");
    const returned = await review({ refunded: orderNo });
    expect(returned.json).toMatchObject({ ok: true, id: orderNo, status: "surplus returned" });
    expect(await lines()).toBe("No payment waits for a decision.");
    expect(await desc()).toContain("€2.50 of the payment was not credited: it was returned");
    await expect(review({ refunded: orderNo })).rejects.toMatchObject({ reason: "recharge.decided" });
    expect(await look()).toMatchObject(PAID);
  });

  it("shows a later surplus after it was credited, and another one after a return", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { paid: 1_000 }));
    expect(await lines()).toBe("No payment waits for a decision.");
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 2_500 }));
    expect(await lines()).toMatch(/surplus 15.00$/);
    await review({ refunded: orderNo });
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 2_600 }));
    expect(await lines()).toMatch(/surplus 1.00$/);
    expect(await look()).toMatchObject(PAID);
  });

  it("is taken back whole when it is marked as invalid, whatever surplus was returned before", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 2_500 }));
    await review({ refunded: orderNo });
    await tellByBtcpay(w, btcpay.become(orderNo, "Invalid", { additional: "Marked" }));
    expect(await look()).toMatchObject({ balance: 0, orders: ["refunded"] });
    expect(await lines()).toBe("No payment waits for a decision.");
  });

  it("and late is credited, or waits whole for the operator", async () => {
    const late = { additional: "PaidLate", paid: 1_100 } as const;
    const [first, second] = [await order(), await order()];
    w.pass(31 * MINUTE_MS);
    await look();
    await tellByBtcpay(w, btcpay.become(first, "Expired", late));
    expect(await lines()).toMatch(/received 11.00 EUR {2}surplus 1.00$/);
    await mia.call("/member/limits", { exclude_until: String(Math.floor(w.now() / 1000) + 2 * 86_400) });
    await tellByBtcpay(w, btcpay.become(second, "Expired", late));
    expect(await seen(w, mia)).toMatchObject({ balance: 10, orders: ["paid", "review"] });
    expect(await lines()).toMatch(/received 11.00 EUR {2}review$/m);
    await review({ credit: second, reason: "It was ordered before" });
    expect(await seen(w, mia)).toMatchObject({ balance: 20, orders: ["paid", "paid"] });
    expect(await lines()).toMatch(/surplus 1.00\n.*surplus 1.00$/);
  });
});

describe("an invoice that is paid in parts", () => {
  const NOTHING = "No payment waits for a decision.";
  const part = (orderNo: string, paid: number) => {
    const additional = paid < 1_000 ? "PaidPartial" : "PaidLate";
    return tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional, paid }));
  };

  it("waits with all that has come; a part that comes after the credit is shown until it is returned", async () => {
    const orderNo = await order();
    for (const paid of [400, 700, 400]) await part(orderNo, paid);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, reviews: [`${orderNo} review 7`] });
    expect((await review({ credit: orderNo, reason: "The part that came" })).text).toContain("credited with 7.00");
    expect(await lines()).toBe(NOTHING);
    for (const paid of [900, 900, 700]) await part(orderNo, paid);
    expect(await lines()).toMatch(/ordered 10.00, received 9.00 EUR {2}surplus 2.00$/);
    expect(await desc()).toContain("€2.00 of the payment was not credited: it will be returned");
    await part(orderNo, 1_000);
    expect(await lines()).toMatch(/surplus 3.00$/);
    await review({ refunded: orderNo });
    expect(await lines()).toBe(NOTHING);
    expect(await desc()).toContain("€3.00 of the payment was not credited: it was returned");
    expect(await look()).toMatchObject({ balance: 7, orders: ["paid"], ledger: ["deposit +7"] });
  });

  it("is refunded with all that has come by then; what comes later is shown until it is returned", async () => {
    const orderNo = await order();
    await part(orderNo, 400);
    await review({ refund: orderNo, reason: "Too little" });
    await part(orderNo, 600);
    expect(await seen(w, mia)).toMatchObject({ orders: ["refunding"], reviews: [`${orderNo} refunding 6`] });
    expect((await review({ refunded: orderNo })).text).toBe(`${orderNo} is refunded with 6.00.`);
    expect([await lines(), await desc()]).toEqual([NOTHING, expect.not.stringContaining("not credited")]);
    for (const paid of [1_000, 1_000, 600]) await part(orderNo, paid);
    expect(await lines()).toMatch(/received 10.00 EUR {2}surplus 4.00$/);
    expect(await desc()).toContain("€4.00 of the payment was not credited: it will be returned");
    const returned = await review({ refunded: orderNo });
    expect(returned.json).toMatchObject({ id: orderNo, status: "surplus returned" });
    expect(await lines()).toBe(NOTHING);
    expect(await look()).toMatchObject({ balance: 0, orders: ["refunded"], ledger: [] });
  });

  it("and in full is not credited once its refund was decided", async () => {
    const orderNo = await order();
    await part(orderNo, 400);
    await review({ refund: orderNo, reason: "Too little" });
    await part(orderNo, 1_000);
    expect(await look()).toMatchObject({ balance: 0, orders: ["refunding"], reviews: [`${orderNo} refunding 10`] });
  });

  it("and is then marked as settled by hand has no more than what came", async () => {
    const orderNo = await order();
    await part(orderNo, 400);
    await review({ credit: orderNo, reason: "The part that came" });
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "Marked" }));
    expect(await lines()).toBe(NOTHING);
    expect(await look()).toMatchObject({ balance: 4, orders: ["paid"] });
  });

  it("in a unit without decimals has no surplus that cannot be paid", async () => {
    await set(w, "unit", "KRW");
    const orderNo = await orderBy(mia, "btcpay", 1_000);
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 40_050 }));
    await review({ credit: orderNo, reason: "The part that came" });
    expect(await lines()).toBe(NOTHING);
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 50_050 }));
    expect(await lines()).toMatch(/surplus 100.00$/);
    await review({ refunded: orderNo });
    expect(await lines()).toBe(NOTHING);
  });
});
