import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rechargeReview } from "#server/admin/recharge.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { BtcpayServer } from "../../support/btcpay-server.ts";
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

describe("an invoice that was overpaid", () => {
  const lines = async () => (await review({})).text;
  const desc = async () => (await mia.call("/member/getUserRechargeList", undefined, { lang: "en_us" })).data[0]!.desc;

  it("credits what was ordered; the surplus is shown until the operator has returned it", async () => {
    const orderNo = await order();
    const delivery = btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 1_250 });
    for (const one of [delivery, delivery]) await tellByBtcpay(w, one);
    expect(await look()).toMatchObject(PAID);
    expect(await lines()).toMatch(`${orderNo}  mia_1`);
    expect(await lines()).toMatch(/ordered 10.00, received 12.50 EUR {2}surplus 2.50$/);
    expect(await desc()).toContain("€2.50 more was paid than ordered: it will be returned");
    const returned = await review({ refunded: orderNo });
    expect(returned.json).toMatchObject({ ok: true, id: orderNo, status: "surplus returned" });
    expect(await lines()).toBe("No payment waits for a decision.");
    expect(await desc()).toContain("€2.50 more was paid than ordered: it was returned");
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
