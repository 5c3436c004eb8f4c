import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { paymentReturns } from "#db/schema/payments.ts";
import { rechargeReview } from "#server/admin/recharge.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import type { BtcpayServer } from "../../support/btcpay-server.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { btcpayWorld, orderBy, seen, tellByBtcpay, topUpBy } from "./provider-world.ts";
import { PUBLIC_URL } from "./shop.ts";

let w: World;
let btcpay: BtcpayServer;
let close: () => Promise<void>;
let mia: Player;

async function open(more?: Record<string, string>) {
  ({ w, provider: btcpay, close } = await btcpayWorld(more));
  mia = await w.player("mia_1");
}
beforeEach(() => open());
afterEach(() => close());

const order = (money = 10) => orderBy(mia, "btcpay", money);
const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};
const review = (options: Record<string, string>) => rechargeReview.run(w.deps as never, { args: {}, options });
const PAID = { balance: 10, orders: ["paid"], ledger: ["deposit +10"], owes: 0, reviews: [] };

describe("a payment by BTCPay Server", () => {
  it("is made on its page in a frame, which our pages' policy allows", async () => {
    const { data } = await topUpBy(mia, "btcpay", 10);
    const { checkoutLink, amount, currency } = btcpay.of(data.order);
    expect(data).toMatchObject({ open: "frame", pay_url: checkoutLink });
    expect([amount, currency]).toEqual(["10.00", "EUR"]);
    const made = btcpay.requests.find(({ method }) => method === "POST")!;
    expect(JSON.parse(made.body)).toMatchObject({
      checkout: { expirationMinutes: 30, redirectURL: `${PUBLIC_URL}/RechargeRecord`, redirectAutomatically: true },
    });
    const policy = (await w.site.app.inject({ url: "/" })).headers["content-security-policy"];
    expect(policy).toContain(`frame-src 'self' ${PUBLIC_URL} ${btcpay.url}`);
  });

  it("is credited once, though it is notified twice, redelivered, and found in the list as well", async () => {
    const delivery = btcpay.become(await order(), "Settled", { paid: 1_000 });
    const again = { ...delivery, deliveryId: "another", isRedelivery: true };
    expect(await Promise.all([delivery, delivery, again].map((one) => tellByBtcpay(w, one)))).toEqual([200, 200, 200]);
    w.pass(HOUR_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("keeps its order open for as long as it has no confirmation", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Processing", { paid: 1_000, payment: "Processing" }));
    w.pass(40 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["waiting"], balance: 0 });
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { paid: 1_000 }));
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("with notifications out of order ends as the invoice says", async () => {
    const orderNo = await order();
    const processing = btcpay.become(orderNo, "Processing", { paid: 1_000 });
    const settled = btcpay.become(orderNo, "Settled", { paid: 1_000 });
    for (const one of [settled, processing]) await tellByBtcpay(w, one);
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("adds the channel's fee, which the channel keeps", async () => {
    await set(w, "pay_fees", "btcpay=1.5");
    const { data } = await topUpBy(mia, "btcpay", 10);
    expect(data).toMatchObject({ fee: "0.15", total: "10.15" });
    expect(btcpay.of(data.order).amount).toBe("10.15");
    await tellByBtcpay(w, btcpay.become(data.order, "Settled", { paid: 1_015 }));
    expect(await seen(w, mia)).toMatchObject(PAID);
  });
});

describe("a forged or foreign notification", () => {
  it("is refused with 400 and changes nothing", async () => {
    const delivery = btcpay.become(await order(), "Settled", { paid: 1_000 });
    expect(await tellByBtcpay(w, delivery, "guessed")).toBe(400);
    const bare = { method: "POST", url: "/api/pay/notify/btcpay", payload: JSON.stringify(delivery) } as const;
    expect((await w.site.app.inject(bare)).statusCode).toBe(400);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["waiting"] });
  });

  it("of another store, or another amount or currency, changes nothing", async () => {
    const orderNo = await order();
    const delivery = btcpay.become(orderNo, "Settled", { paid: 1_000 });
    expect(await tellByBtcpay(w, { ...delivery, storeId: "store-2" })).toBe(200);
    for (const wrong of [{ amount: "9.00" }, { currency: "USD" }]) {
      const invoice = btcpay.of(orderNo);
      const right = { ...invoice };
      Object.assign(invoice, wrong);
      expect(await tellByBtcpay(w, delivery)).toBe(200);
      Object.assign(invoice, right);
    }
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["waiting"] });
  });
});

describe("an invoice that was paid in part", () => {
  it("waits for the operator, who credits what was paid", async () => {
    const orderNo = await order();
    const delivery = btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 400 });
    for (const one of [delivery, delivery]) await tellByBtcpay(w, one);
    expect(await seen(w, mia)).toMatchObject({ orders: ["review"], balance: 0, reviews: [`${orderNo} review 4`] });
    await review({ credit: orderNo, reason: "The part that came" });
    expect(await look()).toMatchObject({ orders: ["paid"], balance: 4, ledger: ["deposit +4"] });
  });

  it("is refunded by hand, which the operator then books", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 400 }));
    await review({ refund: orderNo, reason: "Too little" });
    expect(await look()).toMatchObject({ orders: ["refunding"], balance: 0 });
    await review({ refunded: orderNo });
    expect(await look()).toMatchObject({ orders: ["refunded"], balance: 0, ledger: [] });
  });

  it("is credited in whole units where the unit has no decimals", async () => {
    await set(w, "unit", "KRW");
    const orderNo = await order(1_000);
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 40_050 }));
    const { text } = await review({ credit: orderNo, reason: "The part that came" });
    expect(text).toContain("credited with 400.00");
    expect(await look()).toMatchObject({ orders: ["paid"], balance: 400, ledger: ["deposit +400"] });
  });

  it("is credited in full when the rest comes later", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidPartial", paid: 400 }));
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", { additional: "PaidLate", paid: 1_000 }));
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("is not decided while a part is unconfirmed", async () => {
    const orderNo = await order();
    const part = { additional: "PaidPartial", paid: 400, payment: "Processing" } as const;
    await tellByBtcpay(w, btcpay.become(orderNo, "Expired", part));
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["waiting"], reviews: [] });
  });
});

describe("an invoice that was paid late", () => {
  it("is credited, or waits for the operator when the member is on a break", async () => {
    const late = { additional: "PaidLate", paid: 1_000 } as const;
    const [first, second] = [await order(), await order()];
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed", "failed"] });
    await tellByBtcpay(w, btcpay.become(first, "Expired", late));
    expect(await seen(w, mia)).toMatchObject({ balance: 10, orders: ["paid", "failed"] });
    await mia.call("/member/limits", { exclude_until: String(Math.floor(w.now() / 1000) + 2 * 86_400) });
    await tellByBtcpay(w, btcpay.become(second, "Expired", late));
    expect(await seen(w, mia)).toMatchObject({ balance: 10, orders: ["paid", "review"] });
  });
});

describe("an invoice that the operator marks as invalid", () => {
  it("after it was credited takes the credit back, and returns it when it is marked as settled", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { paid: 1_000 }));
    const invalid = btcpay.become(orderNo, "Invalid", { additional: "Marked" });
    for (const one of [invalid, invalid]) await tellByBtcpay(w, one);
    expect(await seen(w, mia)).toMatchObject({
      balance: 0,
      orders: ["refunded"],
      ledger: ["deposit +10", "chargeback -10"],
    });
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "Marked" }));
    expect(await look()).toMatchObject({ balance: 10, orders: ["paid"] });
  });

  it("is taken back each time, and once each time, however often they change their mind", async () => {
    const orderNo = await order();
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { paid: 1_000 }));
    const ledger = ["deposit +10"];
    for (let i = 0; i < 3; i++) {
      const invalid = btcpay.become(orderNo, "Invalid", { additional: "Marked" });
      for (const one of [invalid, invalid]) await tellByBtcpay(w, one);
      ledger.push("chargeback -10");
      expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["refunded"], ledger });
      const settled = btcpay.become(orderNo, "Settled", { additional: "Marked" });
      for (const one of [settled, settled]) await tellByBtcpay(w, one);
      ledger.push("chargeback-return +10");
      expect(await seen(w, mia)).toMatchObject({ balance: 10, orders: ["paid"], ledger });
    }
    const returns = await w.deps.db.read.select().from(paymentReturns).orderBy(paymentReturns.id);
    expect(returns.map(({ reference }) => reference)).toEqual(["invalid", "invalid:1", "invalid:2"]);
  });
});

describe("with BTCPAY_OPEN=qr", () => {
  it("our own page shows the code, and goes back once it is paid", async () => {
    await close();
    await open({ BTCPAY_OPEN: "qr" });
    const { data } = await topUpBy(mia, "btcpay", 10);
    expect(data).toMatchObject({ open: "qr", pay_url: `${PUBLIC_URL}/pay/order/${data.order}` });
    const { body } = await w.site.app.inject({ url: `/pay/order/${data.order}` });
    expect(body).toContain("<svg");
    expect(body).toContain("Scan this code");
    expect(body).not.toMatch(/<script|<img| on\w+=/);
    await tellByBtcpay(w, btcpay.become(data.order, "Settled", { paid: 1_000 }));
    expect((await w.site.app.inject({ url: `/pay/order/${data.order}` })).statusCode).toBe(303);
  });
});
