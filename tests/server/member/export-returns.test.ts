import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { fromUnits } from "#shared/money.ts";
import { toIso } from "#shared/time.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import { spend } from "../../support/ledger.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, stripeWorld, tellByStripe } from "../payments/provider-world.ts";
import { exported, fetchExport } from "./exported.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;
let time: string;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  mia = await w.player("mia_1");
  time = toIso(w.now());
});
afterEach(() => close());

async function paid(player: Player): Promise<string> {
  const orderNo = await orderBy(player, "stripe", 1_000);
  await tellByStripe(w, stripe.pay(orderNo));
  return orderNo;
}

const credit = ({ memberId }: Player, units: number) =>
  w.deps.db.transact((tx) => creditMember(tx, w.deps, memberId, fromUnits(units), "A gift"));

describe("the export of a member whose payment was taken back", () => {
  it("shows what was taken back, what is still owed, and how both ended", async () => {
    const orderNo = await paid(mia);
    await spend(w, mia, 700);
    const refund = stripe.refund(orderNo);
    await tellByStripe(w, refund);
    const taken = { id: "ret_1", time, kind: "refund", text: orderNo, amount: "1000.00" };
    const debt = { id: "debt_1", time, text: "ret_1", amount: "700.00" };
    const content = await exported(w, mia);
    expect(content.returns).toEqual([{ ...taken, status: "taken back" }]);
    expect(content.debts).toEqual([{ ...debt, balance: "700.00", status: "open" }]);

    await credit(mia, 200);
    await w.site.payments.tick();
    expect((await exported(w, mia)).debts).toEqual([{ ...debt, balance: "500.00", status: "open" }]);

    w.pass(60_000);
    await tellByStripe(w, stripe.failRefund(refund.data.object.id));
    const until = toIso(w.now());
    const after = await exported(w, mia);
    expect(after.returns).toEqual([{ ...taken, status: "undone", until }]);
    expect(after.debts).toEqual([{ ...debt, balance: "0.00", status: "forgiven", until }]);
  });

  it("shows that a debt was paid", async () => {
    const orderNo = await paid(mia);
    await spend(w, mia, 700);
    await tellByStripe(w, stripe.refund(orderNo));
    await credit(mia, 900);
    await w.site.payments.tick();
    expect((await exported(w, mia)).debts).toMatchObject([{ balance: "0.00", status: "paid" }]);
    expect((await fetchExport(w, mia, "csv")).body).toContain("debt_1");
  });

  it("shows as one dispute what it took at once and after a refund beside it failed", async () => {
    const text = await paid(mia);
    await spend(w, mia, 700);
    const refund = stripe.refund(text, 40_000);
    for (const news of [refund, stripe.dispute(text), stripe.failRefund(refund.data.object.id)])
      await tellByStripe(w, news);
    const { returns, debts } = await exported(w, mia);
    expect(returns).toMatchObject([
      { id: "ret_1", kind: "refund", text, amount: "400.00", status: "undone" },
      { id: "ret_2", kind: "dispute", text, amount: "1000.00", status: "taken back" },
    ]);
    expect(debts).toMatchObject([
      { text: "ret_1", amount: "100.00", status: "forgiven" },
      { text: "ret_2", amount: "600.00", status: "open" },
      { text: "ret_2", amount: "100.00", status: "open" },
    ]);
  });

  it("has only their own data", async () => {
    const ben = await w.player("ben_1");
    const orderNo = await paid(mia);
    await spend(w, mia, 700);
    await tellByStripe(w, stripe.refund(orderNo));
    expect(await exported(w, ben)).toMatchObject({ returns: [], debts: [] });
  });
});
