import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, seen, stripeWorld, tellByStripe, topUpBy } from "./provider-world.ts";
import { PUBLIC_URL } from "./shop.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  mia = await w.player("mia_1");
});
afterEach(() => close());

const order = (money = 10) => orderBy(mia, "stripe", money);
const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};
const PAID = { balance: 10, orders: ["paid"], ledger: ["deposit +10"], owes: 0, reviews: [] };

describe("a payment by Stripe", () => {
  it("opens beside the app, at an address of ours that may be framed, and comes back once it is paid", async () => {
    const { data } = await topUpBy(mia, "stripe", 10);
    expect(data).toMatchObject({ open: "redirect", pay_url: `${PUBLIC_URL}/pay/order/${data.order}`, total: "10.00" });
    const page = { url: `/pay/order/${data.order}` };
    const { statusCode, headers, body } = await w.site.app.inject(page);
    expect([statusCode, headers["refresh"]]).toEqual([200, "5"]);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
    expect(body).toContain(`href="${stripe.of(data.order).url}" target="_blank"`);
    expect(stripe.of(data.order)).toMatchObject({ amount_total: 1_000, currency: "eur" });
    await tellByStripe(w, stripe.pay(data.order));
    const after = await w.site.app.inject(page);
    expect([after.statusCode, after.headers.location]).toEqual([303, `${PUBLIC_URL}/RechargeRecord`]);
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("is no member's on a break, whatever the amount", async () => {
    const tooMuch = () => topUpBy(mia, "stripe", 2_000_000_000);
    expect((await tooMuch()).data).toMatchObject({ reason: "recharge.range" });
    await mia.call("/member/limits", { exclude_until: String((w.now() + 10 * DAY_MS) / 1000) });
    expect((await tooMuch()).data).toEqual({ reason: "member.excluded" });
  });

  it("is credited once, though it is notified twice, again later, and found in the list as well", async () => {
    const event = stripe.pay(await order());
    expect(await Promise.all([tellByStripe(w, event), tellByStripe(w, event)])).toEqual([200, 200]);
    w.pass(HOUR_MS);
    expect(await tellByStripe(w, event)).toBe(200);
    expect(await look()).toMatchObject(PAID);
  });

  it("that takes days stays open, and is credited when it succeeds", async () => {
    const orderNo = await order();
    await tellByStripe(w, stripe.pay(orderNo, "unpaid"));
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["waiting"], balance: 0 });
    w.pass(2 * DAY_MS);
    expect(await look()).toMatchObject({ orders: ["waiting"] });
    await tellByStripe(w, stripe.arrive(orderNo));
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("that takes days fails when it does not succeed", async () => {
    const orderNo = await order();
    await tellByStripe(w, stripe.pay(orderNo, "unpaid"));
    await tellByStripe(w, stripe.arrive(orderNo, false));
    expect(await seen(w, mia)).toMatchObject({ orders: ["failed"], balance: 0, ledger: [] });
  });

  it("with notifications out of order ends the same", async () => {
    const orderNo = await order();
    const begun = stripe.pay(orderNo, "unpaid");
    const arrived = stripe.arrive(orderNo);
    await tellByStripe(w, arrived);
    await tellByStripe(w, begun);
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it("of another shop in the operator's account is answered and ignored", async () => {
    const event = stripe.pay(await order());
    const foreign = { ...event.data.object, client_reference_id: "somebody-elses" };
    expect(await tellByStripe(w, { ...event, data: { object: foreign } })).toBe(200);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["waiting"] });
  });
});

describe("a notification that is not Stripe's", () => {
  it("is refused with 400 and changes nothing: signed with another secret, not at all, or long ago", async () => {
    const event = stripe.pay(await order());
    expect(await tellByStripe(w, event, { secret: "whsec_guessed" })).toBe(400);
    expect(await tellByStripe(w, event, { at: w.now() - 6 * MINUTE_MS })).toBe(400);
    const bare = { method: "POST", url: "/api/pay/notify/stripe", payload: JSON.stringify(event) } as const;
    expect((await w.site.app.inject(bare)).statusCode).toBe(400);
    expect((await w.site.app.inject({ url: "/api/pay/notify/stripe" })).statusCode).toBe(400);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["waiting"], ledger: [] });
  });

  it("of another amount or currency is logged and changes nothing", async () => {
    const event = stripe.pay(await order());
    for (const wrong of [{ amount_total: 9_900 }, { currency: "usd" }]) {
      const forged = { ...event, data: { object: { ...event.data.object, ...wrong } } };
      expect(await tellByStripe(w, forged as typeof event)).toBe(200);
    }
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["waiting"], ledger: [] });
    expect(w.logged.join("")).toContain("payment.mismatch");
  });
});

describe("a payment without a notification", () => {
  it("is found when the order lapses", async () => {
    stripe.pay(await order());
    w.pass(30 * MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("is found in Stripe's list after our server was down for an hour", async () => {
    await look();
    const orderNo = await order();
    w.pass(5 * MINUTE_MS);
    stripe.pay(orderNo);
    w.pass(HOUR_MS);
    await w.restart();
    expect(await look()).toMatchObject(PAID);
  });

  it("that its bank took back is found, however many payments came after it", async () => {
    await look();
    const orderNo = await order();
    await tellByStripe(w, stripe.pay(orderNo));
    stripe.dispute(orderNo);
    stripe.longestPage = 100;
    stripe.sellElsewhere(5_000);
    w.pass(2 * HOUR_MS);
    expect(await look()).toMatchObject({ orders: ["disputed"], ledger: ["deposit +10", "chargeback -10"] });
  });

  it("of a lapsed order is found in the list, and credited", async () => {
    await look();
    const orderNo = await order();
    w.pass(30 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"] });
    stripe.pay(orderNo);
    w.pass(6 * MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("cannot be made later: the page closes with the order", async () => {
    const orderNo = await order();
    w.pass(30 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"] });
    expect(stripe.of(orderNo).status).toBe("expired");
  });
});

describe("while Stripe cannot be reached", () => {
  it("refuses an order, and the same idempotency key resumes the same checkout", async () => {
    stripe.trouble = () => "lost";
    const { code, data } = await topUpBy(mia, "stripe", 10, "tap");
    expect([code, data]).toEqual([422, { reason: "recharge.away" }]);
    expect(await seen(w, mia)).toMatchObject({ orders: ["waiting"] });
    stripe.trouble = () => null;
    const again = await topUpBy(mia, "stripe", 10, "tap");
    expect(again.code).toBe(200);
    expect([await seen(w, mia), stripe.sessions.size]).toMatchObject([{ orders: ["waiting"] }, 1]);
    expect((await topUpBy(mia, "stripe", 10, "tap")).data).toEqual(again.data);
    await tellByStripe(w, stripe.pay(again.data.order));
    expect(await seen(w, mia)).toMatchObject(PAID);
  });

  it.each([61 * SECOND_MS, 30 * MINUTE_MS - SECOND_MS])(
    "resumes the order, which counts once, as long as it is open: after %d ms",
    async (away) => {
      await mia.call("/member/limits", { recharge_day: "10" });
      stripe.trouble = () => 503;
      expect((await topUpBy(mia, "stripe", 10, "tap")).data).toEqual({ reason: "recharge.away" });
      w.pass(away);
      stripe.trouble = () => null;
      const { code, data } = await topUpBy(mia, "stripe", 10, "tap");
      expect([code, (await seen(w, mia)).orders]).toEqual([200, ["waiting"]]);
      w.pass(30 * MINUTE_MS - away);
      expect(await look()).toMatchObject({ orders: ["failed"] });
      expect(stripe.of(data.order).status).toBe("expired");
    },
  );

  it("checks an order whose answer was lost for good, and credits it if it was paid after all", async () => {
    stripe.trouble = () => "lost";
    await topUpBy(mia, "stripe", 10, "tap");
    stripe.trouble = () => null;
    const [session] = stripe.sessions.values();
    stripe.pay(session!.client_reference_id!);
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("lets an order lapse that never reached it", async () => {
    stripe.trouble = () => 500;
    await topUpBy(mia, "stripe", 10);
    stripe.trouble = () => null;
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"], balance: 0 });
    expect(stripe.sessions.size).toBe(0);
  });

  it("keeps orders open, and checks them again until it answers", async () => {
    stripe.pay(await order());
    stripe.trouble = () => 503;
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["waiting"] });
    stripe.trouble = () => null;
    w.pass(HOUR_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("fails an order that it refuses for good, and its key orders again", async () => {
    stripe.trouble = () => 400;
    expect((await topUpBy(mia, "stripe", 10, "tap")).code).toBe(422);
    expect(await seen(w, mia)).toMatchObject({ orders: ["failed"] });
    stripe.trouble = () => null;
    expect((await topUpBy(mia, "stripe", 10, "tap")).code).toBe(200);
    expect(await seen(w, mia)).toMatchObject({ orders: ["failed", "waiting"] });
  });
});
