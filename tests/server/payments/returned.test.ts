import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asc } from "drizzle-orm";
import { messages } from "#db/schema/index.ts";
import { approveWithdrawal, refuseWithdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { fromUnits } from "#shared/money.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import { lock, set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, seen, stripeWorld, tellByStripe } from "./provider-world.ts";
import { ask, asked, bind, PIN } from "./purse.ts";
import { spend as spendUnits } from "../../support/ledger.ts";
import { give } from "../../support/credentials.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  mia = await w.player("mia_1");
});
afterEach(() => close());

/** A payment that was credited. */
async function paid(money = 1_000): Promise<string> {
  const orderNo = await orderBy(mia, "stripe", money);
  await tellByStripe(w, stripe.pay(orderNo));
  return orderNo;
}
/** Money that has left the balance. */
const spend = (money: number) => spendUnits(w, mia, money);
const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};
async function readyToWithdraw(): Promise<void> {
  await give(w, mia.memberId, { pin: PIN });
  await bind(mia);
}

describe("a refund that Stripe signed", () => {
  it("takes what the balance has, once, however often and in whatever order it is notified", async () => {
    const orderNo = await orderBy(mia, "stripe", 1_000);
    const payment = stripe.pay(orderNo);
    const refund = stripe.refund(orderNo);
    for (const event of [refund, payment, refund, payment]) expect(await tellByStripe(w, event)).toBe(200);
    expect(await look()).toMatchObject({
      balance: 0,
      orders: ["refunded"],
      ledger: ["deposit +1000", "chargeback -1000"],
      messages: ["recharge.returned"],
      owes: 0,
    });
  });

  it("in parts takes the parts, and no more than was credited", async () => {
    const orderNo = await paid();
    await tellByStripe(w, stripe.refund(orderNo, 40_000));
    expect(await seen(w, mia)).toMatchObject({ balance: 600, orders: ["paid"] });
    await tellByStripe(w, stripe.refund(orderNo, 70_000));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["refunded"], owes: 0 });
  });

  it("gives back what was taken when it fails after all", async () => {
    const orderNo = await paid();
    const refund = stripe.refund(orderNo);
    await tellByStripe(w, refund);
    const failed = stripe.failRefund(refund.data.object.id);
    for (const event of [failed, failed, refund]) await tellByStripe(w, event);
    expect(await look()).toMatchObject({
      balance: 1_000,
      orders: ["paid"],
      ledger: ["deposit +1000", "chargeback -1000", "chargeback-return +1000"],
      messages: ["recharge.returned", "recharge.restored"],
    });
    const { data } = await mia.call("/member/messages", {}, { method: "GET" });
    expect(data.slice(0, 2).map(({ record }) => record)).toEqual([orderNo, orderNo]);
  });

  it("tells what had been taken of the balance, and not the fee that was paid beside it", async () => {
    await set(w, "pay_fees", "stripe=1.5");
    const orderNo = await paid();
    await tellByStripe(w, stripe.dispute(orderNo));
    await tellByStripe(w, stripe.dispute(orderNo, true));
    const told = await w.deps.db.read
      .select({ kind: messages.kind, facts: messages.facts })
      .from(messages)
      .orderBy(asc(messages.id));
    expect(told.map(({ kind, facts }) => [kind, facts.money])).toEqual([
      ["recharge.returned", "1000.00"],
      ["recharge.restored", "1000.00"],
    ]);
  });

  it("takes from a locked member too", async () => {
    const orderNo = await paid();
    await lock(w, mia.memberId, true);
    await tellByStripe(w, stripe.refund(orderNo));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["refunded"] });
  });
});

describe("a dispute of money that was spent", () => {
  it("takes the rest of the balance; no withdrawal is paid until the debt is", async () => {
    await readyToWithdraw();
    const orderNo = await paid();
    await spend(700);
    await tellByStripe(w, stripe.dispute(orderNo));
    expect(await seen(w, mia)).toMatchObject({
      balance: 0,
      orders: ["disputed"],
      ledger: ["deposit +1000", "plan -700", "chargeback -300"],
      messages: ["security.bankLinked", "recharge.owed"],
      owes: 700,
    });
    const { data } = await mia.call("/member/getUserWithdrawRole");
    expect(data.debt).toBe("700.00");
    expect((await ask(mia, 100)).data).toEqual({ reason: "debt.open" });
    await paid(500);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 200 });
    await paid(500);
    expect(await look()).toMatchObject({
      balance: 300,
      owes: 0,
      ledger: expect.arrayContaining(["debt -500", "debt -200"]) as unknown,
    });
    expect((await ask(mia, 100)).code).toBe(200);
  });

  it("is paid by any credit to the balance, without the member's doing", async () => {
    const orderNo = await paid();
    await spend(1_000);
    await tellByStripe(w, stripe.dispute(orderNo));
    const gift = { code: "credit", cause: "test:win", account: "house:operator", amount: fromUnits(1_500) } as const;
    await w.deps.db.transact((tx) => transfer(tx, w.deps, { ...gift, memberId: mia.memberId }));
    expect(await look()).toMatchObject({ balance: 500, owes: 0 });
  });

  it("stops a withdrawal that is under way: it cannot be paid out, and its refund pays the debt", async () => {
    await readyToWithdraw();
    const orderNo = await paid();
    const id = await asked(mia, 900);
    await tellByStripe(w, stripe.dispute(orderNo));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 900 });
    const approving = w.deps.db.transact((tx) => approveWithdrawal(tx, w.deps, id));
    await expect(approving).rejects.toMatchObject({ reason: "debt.open" });
    await w.deps.db.transact((tx) => refuseWithdrawal(tx, w.deps, id, "disputed"));
    expect(await look()).toMatchObject({ balance: 0, owes: 0 });
  });

  it("gives back what was taken and paid when it is won, and ends the debt", async () => {
    const orderNo = await paid();
    await spend(700);
    await tellByStripe(w, stripe.dispute(orderNo));
    await paid(200);
    await tellByStripe(w, stripe.dispute(orderNo, true));
    expect(await look()).toMatchObject({
      balance: 500,
      orders: ["paid", "paid"],
      owes: 0,
      debts: 1,
      messages: ["recharge.owed", "recharge.restored"],
    });
  });

  it("never makes a balance negative, though bets, refunds and top-ups come at once", async () => {
    const orders = [await paid(100), await paid(100), await paid(100)];
    await Promise.all([
      ...orders.map((orderNo) => tellByStripe(w, stripe.dispute(orderNo))),
      ...[50, 70, 90].map((money) => spend(money).catch(() => {})),
    ]);
    const { balance, ledger, owes } = await look();
    const left = ledger.filter((one) => one.startsWith("plan")).reduce((sum, one) => sum + Number(one.slice(5)), 0);
    expect([balance, owes]).toEqual([0, -left]);
  });
});

describe("a refund and a dispute of the same payment", () => {
  it("leave what the dispute no longer takes to the refund, though its notice came first", async () => {
    const orderNo = await paid();
    const refund = stripe.refund(orderNo, 40_000);
    await tellByStripe(w, stripe.dispute(orderNo));
    await tellByStripe(w, refund);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["disputed"], owes: 0 });
    const won = stripe.dispute(orderNo, true);
    for (const event of [won, won, refund]) await tellByStripe(w, event);
    expect(await look()).toMatchObject({
      balance: 600,
      orders: ["paid"],
      ledger: ["deposit +1000", "chargeback -1000", "chargeback-return +1000", "chargeback -400"],
      messages: ["recharge.returned", "recharge.restored", "recharge.returned"],
      owes: 0,
    });
  });

  it("leave to the dispute what a refund had taken that fails, and give all of it back once it is won", async () => {
    const orderNo = await paid();
    const refund = stripe.refund(orderNo, 40_000);
    await tellByStripe(w, refund);
    await tellByStripe(w, stripe.dispute(orderNo));
    const failed = stripe.failRefund(refund.data.object.id);
    for (const event of [failed, failed, refund]) await tellByStripe(w, event);
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["disputed"], owes: 0 });
    const won = stripe.dispute(orderNo, true);
    for (const event of [won, won]) await tellByStripe(w, event);
    expect(await look()).toMatchObject({ balance: 1_000, orders: ["paid"], owes: 0 });
  });

  it("are a debt as far as the balance does not cover what is left of them", async () => {
    const orderNo = await paid();
    await spend(900);
    await tellByStripe(w, stripe.dispute(orderNo));
    await tellByStripe(w, stripe.refund(orderNo, 40_000));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, owes: 900 });
    await tellByStripe(w, stripe.dispute(orderNo, true));
    expect(await seen(w, mia)).toMatchObject({ balance: 0, orders: ["paid"], owes: 300 });
    await paid(500);
    expect(await look()).toMatchObject({ balance: 200, owes: 0 });
  });

  it("come to the same in whatever order they are notified", async () => {
    const ends = [];
    for (const order of orders(["refund", "dispute", "failed", "won"] as const)) {
      const orderNo = await paid(100);
      const refund = stripe.refund(orderNo, 4_000);
      const news = {
        refund,
        dispute: stripe.dispute(orderNo),
        failed: stripe.failRefund(refund.data.object.id),
        won: stripe.dispute(orderNo, true),
      };
      const before = await seen(w, mia);
      const taken: number[] = [];
      for (const name of order) {
        await tellByStripe(w, news[name]);
        taken.push(before.balance - (await seen(w, mia)).balance);
      }
      const isThere = (name: keyof typeof news, end: keyof typeof news, upTo: number) =>
        order.indexOf(name) <= upTo && !order.slice(0, upTo + 1).includes(end);
      const due = order.map((_, i) =>
        Math.min((isThere("refund", "failed", i) ? 40 : 0) + (isThere("dispute", "won", i) ? 100 : 0), 100),
      );
      ends.push([order.join(" "), taken, due]);
    }
    expect(ends.map(([order, taken]) => [order, taken])).toEqual(ends.map(([order, , due]) => [order, due]));
  });
});

/** All orders of some names. */
function orders<T>(names: readonly T[]): T[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((name) => orders(names.filter((one) => one !== name)).map((rest) => [name, ...rest]));
}
