import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rechargeReview } from "#server/admin/recharge.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import { lock } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, seen, stripeWorld, tellByStripe } from "./provider-world.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  mia = await w.player("mia_1");
});
afterEach(() => close());

const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};

describe("a genuine payment of a lapsed order", () => {
  async function lapsed(): Promise<string> {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    w.pass(31 * MINUTE_MS);
    await tellByStripe(w, stripe.expire(orderNo));
    expect((await seen(w, mia)).orders).toEqual(["failed"]);
    return orderNo;
  }
  const exclude = () => mia.call("/member/limits", { exclude_until: String(Math.floor(w.now() / 1000) + 2 * 86_400) });
  const review = (options: Record<string, string>) => rechargeReview.run(w.deps as never, { args: {}, options });

  it("waits for the operator when the member is on a break, and is refunded by Stripe, once", async () => {
    const orderNo = await lapsed();
    await exclude();
    const event = stripe.pay(orderNo);
    for (const one of [event, event]) await tellByStripe(w, one);
    const waiting = { balance: 0, orders: ["review"], ledger: [], reviews: [`${orderNo} review 1000`] };
    expect(await look()).toMatchObject(waiting);
    expect((await review({})).text).toContain(`${orderNo}  mia_1`);
    await expect(review({ refund: orderNo })).rejects.toThrow("--reason is empty");
    await review({ refund: orderNo, reason: "On a break" });
    expect(await seen(w, mia)).toMatchObject({ orders: ["refunding"] });
    stripe.trouble = ({ path }) => (path === "/v1/refunds" ? "lost" : null);
    await look();
    stripe.trouble = () => null;
    w.pass(MINUTE_MS * 60);
    expect(await look()).toMatchObject({ balance: 0, orders: ["refunded"], ledger: [], reviews: [] });
    expect(stripe.refunds).toHaveLength(1);
    await tellByStripe(w, stripe.events.at(-1)!);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["refunded"], ledger: [], owes: 0 });
    await expect(review({ credit: orderNo, reason: "x" })).rejects.toMatchObject({ reason: "recharge.decided" });
  });

  describe("whose refund fails", () => {
    async function refunded(): Promise<string> {
      const orderNo = await lapsed();
      await exclude();
      await tellByStripe(w, stripe.pay(orderNo));
      await look();
      await review({ refund: orderNo, reason: "On a break" });
      expect(await look()).toMatchObject({ orders: ["refunded"] });
      return orderNo;
    }
    const told = () => stripe.events.findLast(({ type }) => type === "refund.created")!;

    it("waits again, and is refunded anew when the operator decides so once more", async () => {
      const orderNo = await refunded();
      await tellByStripe(w, told());
      await tellByStripe(w, stripe.failRefund(stripe.refunds[0]!.id));
      // Nothing had been taken from the balance, so nothing is told to be theirs again.
      const waiting = { orders: ["review"], reviews: [`${orderNo} review 1000`], messages: [] };
      expect(await seen(w, mia)).toMatchObject(waiting);
      await review({ refund: orderNo, reason: "To the other card" });
      expect(await look()).toMatchObject({ orders: ["refunded"], reviews: [] });
      expect(stripe.refunds.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    });

    it("waits again too when the failure is told before the refund itself", async () => {
      const orderNo = await refunded();
      const made = told();
      await tellByStripe(w, stripe.failRefund(stripe.refunds[0]!.id));
      await tellByStripe(w, made);
      expect(await seen(w, mia)).toMatchObject({ orders: ["review"], reviews: [`${orderNo} review 1000`] });
    });
  });

  it("waits when the member's own limit is reached, and may be credited by the operator, once", async () => {
    const orderNo = await lapsed();
    await mia.call("/member/limits", { recharge_day: "500" });
    await tellByStripe(w, stripe.pay(orderNo));
    expect(await seen(w, mia)).toMatchObject({ orders: ["review"], balance: 0 });
    await review({ credit: orderNo, reason: "It was ordered before the limit" });
    expect(await look()).toMatchObject({ orders: ["paid"], balance: 1_000, ledger: ["deposit +1000"] });
    const { data } = await mia.call("/member/getUserRechargeList");
    expect(data).toMatchObject([{ status: 2, desc: "It was ordered before the limit" }]);
    await expect(review({ credit: orderNo, reason: "x" })).rejects.toMatchObject({ reason: "recharge.decided" });
  });

  it("waits while the member is locked", async () => {
    const orderNo = await lapsed();
    await lock(w, mia.memberId, true);
    await tellByStripe(w, stripe.pay(orderNo));
    expect(await seen(w, mia)).toMatchObject({ orders: ["review"], balance: 0 });
  });

  it("in review is closed once it is refunded on Stripe's own pages", async () => {
    const orderNo = await lapsed();
    await exclude();
    await tellByStripe(w, stripe.pay(orderNo));
    await tellByStripe(w, stripe.refund(orderNo));
    expect(await look()).toMatchObject({ orders: ["refunded"], balance: 0, ledger: [], reviews: [], owes: 0 });
  });

  it("is credited in full when it was ordered and paid within the same limit", async () => {
    await mia.call("/member/limits", { recharge_day: "1000" });
    const orderNo = await lapsed();
    await tellByStripe(w, stripe.pay(orderNo));
    expect(await look()).toMatchObject({ orders: ["paid"], balance: 1_000 });
    expect((await mia.call("/member/doRecharge", { pay_way: "stripe", money: "1" })).data).toMatchObject({
      reason: "limit.reached",
      limit: "recharge_day",
      left: "0.00",
    });
  });
});
