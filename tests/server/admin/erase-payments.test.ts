import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit } from "#server/admin/audit/audit.ts";
import { eraseMember } from "#server/admin/erase/erase-member.ts";
import { rechargeReview } from "#server/admin/recharge.ts";
import { fromUnits } from "#shared/money.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { problemsOf } from "../../support/audited.ts";
import type { BtcpayServer } from "../../support/btcpay-server.ts";
import { move, spend } from "../../support/ledger.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { btcpayWorld, orderBy, seen, stripeWorld, tellByBtcpay, tellByStripe } from "../payments/provider-world.ts";

let w: World;
let close: () => Promise<void>;
let mia: Player;

const notes = async () => {
  const { json } = await audit.run({ ...w.deps, config: w.config }, { args: {}, options: {} });
  return (json as { notes: string[] }).notes;
};
const erase = () => eraseMember(w.deps, mia.memberId, "Asked for by letter");

describe("a member who topped up through Stripe", () => {
  let stripe: StripeServer;

  beforeEach(async () => {
    ({ w, provider: stripe, close } = await stripeWorld());
    mia = await w.player("mia_1");
  });
  afterEach(() => close());

  /** A payment that was credited, and spent. */
  async function spent(): Promise<string> {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    await tellByStripe(w, stripe.pay(orderNo));
    await spend(w, mia, 1_000);
    return orderNo;
  }

  it("is erased once no bank takes the payment back any more, and not before", async () => {
    const orderNo = await spent();
    w.pass(120 * DAY_MS - 1);
    const until = new Date(w.now() + 1).toISOString().slice(0, 10);
    expect(await erase()).toBe(
      `a bank may still take the top-up ${orderNo} back, or undo that, for 120 days: try again on ${until}`,
    );
    w.pass(1);
    expect(await erase()).toBe(null);
  });

  it("is erased 120 days after a dispute, and never while it is a debt", async () => {
    const orderNo = await spent();
    w.pass(100 * DAY_MS);
    await tellByStripe(w, stripe.dispute(orderNo));
    w.pass(119 * DAY_MS);
    expect(await erase()).toBe("a returned payment is not settled yet");
    const gift = { code: "credit", cause: "test:gift", account: "house:operator", amount: fromUnits(1_000) } as const;
    await move(w, { ...gift, memberId: mia.memberId });
    await w.site.payments.tick();
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 0, orders: ["disputed"] });
    expect(await erase()).toContain(`take the top-up ${orderNo} back`);
    w.pass(DAY_MS);
    expect(await erase()).toBe(null);
  });

  it("is erased 120 days after a refund, which may fail", async () => {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    await tellByStripe(w, stripe.pay(orderNo));
    w.pass(10 * DAY_MS);
    await tellByStripe(w, stripe.refund(orderNo));
    w.pass(120 * DAY_MS - 1);
    expect(await erase()).toContain(`take the top-up ${orderNo} back`);
    w.pass(1);
    expect(await erase()).toBe(null);
  });

  it("gets nothing back after it: the audit says what to give back outside, and the others' news is heard", async () => {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    await tellByStripe(w, stripe.pay(orderNo));
    const refund = stripe.refund(orderNo, 40_000);
    await tellByStripe(w, refund);
    await tellByStripe(w, stripe.dispute(orderNo));
    w.pass(120 * DAY_MS);
    expect(await erase()).toBe(null);
    const { messages } = await seen(w, mia);
    const nils = await w.player("nils_2");
    const other = await orderBy(nils, "stripe", 500);
    stripe.dispute(orderNo, true);
    stripe.pay(other);
    w.pass(10 * MINUTE_MS);
    await w.site.payments.tick();
    expect(await seen(w, nils)).toMatchObject({ balance: 500 });
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 0, orders: ["paid"], messages });
    expect(await notes()).toContain(
      `member ${mia.memberId} was erased, and top-up ${orderNo} came back since: give 60000 back`,
    );
  });

  it("may owe after it, by a dispute that came too late", async () => {
    const orderNo = await spent();
    w.pass(120 * DAY_MS);
    expect(await erase()).toBe(null);
    await tellByStripe(w, stripe.dispute(orderNo));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 1_000, messages: [] });
    expect(await problemsOf(w)).toEqual([]);
    await tellByStripe(w, stripe.dispute(orderNo, true));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 0, messages: [] });
    expect(await notes()).not.toContainEqual(expect.stringContaining(orderNo));
  });

  it("is credited no payment that came after it, which waits until it is refunded", async () => {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    w.pass(31 * MINUTE_MS);
    await tellByStripe(w, stripe.expire(orderNo));
    expect(await erase()).toBe(null);
    await tellByStripe(w, stripe.pay(orderNo));
    expect((await seen(w, mia)).reviews).toEqual([`${orderNo} review 1000`]);
    const review = (options: Record<string, string>) => rechargeReview.run(w.deps as never, { args: {}, options });
    const crediting = review({ credit: orderNo, reason: "It came" });
    await expect(crediting).rejects.toMatchObject({ reason: "recharge.uncreditable" });
    await review({ refund: orderNo, reason: "Erased" });
    await w.site.payments.tick();
    expect((await seen(w, mia)).orders).toEqual(["refunded"]);
  });

  it("is not erased while an order is open or in review", async () => {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    expect(await erase()).toBe(`the top-up ${orderNo} is not over yet`);
    w.pass(31 * MINUTE_MS);
    await tellByStripe(w, stripe.expire(orderNo));
    await mia.call("/member/limits", { exclude_until: String(Math.floor(w.now() / 1000) + 2 * 86_400) });
    await tellByStripe(w, stripe.pay(orderNo));
    expect((await seen(w, mia)).orders).toEqual(["review"]);
    expect(await erase()).toBe(`the top-up ${orderNo} is not over yet`);
  });
});

describe("a member who paid too much in bitcoin", () => {
  let btcpay: BtcpayServer;

  beforeEach(async () => {
    ({ w, provider: btcpay, close } = await btcpayWorld());
    mia = await w.player("mia_1");
  });
  afterEach(() => close());

  it("is not erased before the surplus is returned", async () => {
    const orderNo = await orderBy(mia, "btcpay", 10);
    await tellByBtcpay(w, btcpay.become(orderNo, "Settled", { additional: "PaidOver", paid: 1_250 }));
    await spend(w, mia, 10);
    w.pass(120 * DAY_MS);
    expect(await erase()).toBe(`the top-up ${orderNo} has a surplus: return it first (recharge:review)`);
    await rechargeReview.run(w.deps as never, { args: {}, options: { refunded: orderNo } });
    expect(await erase()).toBe(null);
  });
});

describe("a member who topped up for points", () => {
  beforeEach(async () => {
    w = await world();
    mia = await w.player("mia_1");
  });
  afterEach(() => w.close());

  it("is erased at once: no bank had a part in it", async () => {
    await topUp(w, mia, 10);
    await spend(w, mia, 10);
    expect(await erase()).toBe(null);
    expect(await problemsOf(w)).toEqual([]);
  });
});
