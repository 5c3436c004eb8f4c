import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audited } from "../../support/audited.ts";
import { Copies } from "../../support/copies.ts";
import { spend } from "../../support/ledger.ts";
import { orderBy, stripeWorld, tellByStripe } from "../payments/provider-world.ts";

let close: () => Promise<void>;
let copies: Copies;
let orders: string[];

/**
 * The orders of one member: one that was refunded in part, one whose refund failed, one that was disputed when its money
 * was spent, one that paid a part of that debt, and one that waits. One of another member was disputed beside a refund that
 * failed.
 */
beforeAll(async () => {
  const { w, provider: stripe, close: end } = await stripeWorld();
  const mia = await w.player("mia_1");
  const nils = await w.player("nils_2");
  const order = (money: number) => orderBy(mia, "stripe", money);
  const paid = async (money: number, player = mia) => {
    const orderNo = await orderBy(player, "stripe", money);
    await tellByStripe(w, stripe.pay(orderNo));
    return orderNo;
  };
  const [inPart, failed, disputed] = [await paid(1_000), await paid(500), await paid(1_000)];
  await tellByStripe(w, stripe.refund(inPart, 40_000));
  const refund = stripe.refund(failed);
  await tellByStripe(w, refund);
  await tellByStripe(w, stripe.failRefund(refund.data.object.id));
  await spend(w, mia, 1_800);
  await tellByStripe(w, stripe.dispute(disputed));
  orders = [inPart, failed, disputed, await paid(200), await order(10), await paid(1_000, nils)];
  const beside = stripe.refund(orders[5]!, 40_000);
  for (const news of [beside, stripe.dispute(orders[5]!), stripe.failRefund(beside.data.object.id)])
    await tellByStripe(w, news);
  copies = await Copies.of(w);
  close = async () => {
    await copies.close();
    await end();
  };
});
afterAll(() => close());

const first = (code: string, change: string) =>
  `update transfers set ${change} where id = (select min(id) from transfers where code = '${code}')`;
const UNLIKE = "its transfer is not the one of its order";

describe.concurrent("the audit of top-ups", () => {
  it("finds no problem in untouched data", async () => {
    expect(await audited(await copies.tampered("select 1"))).toMatchObject({ ok: true, problems: [] });
  });

  it.each([
    [
      "that are paid without a credit",
      "delete from transfers where code = 'deposit'",
      0,
      "is paid, but was not credited",
    ],
    [
      "that wait after their credit",
      "update deposits set status = 'waiting' where id = 1",
      0,
      "is waiting, but was credited",
    ],
    ["credited with more than they ordered", first("deposit", "amount = amount + 1"), 0, UNLIKE],
    ["credited from another account", first("deposit", "debit = 'house:operator'"), 0, UNLIKE],
    ["credited to another member", first("deposit", "credit = 'member:9'"), 0, UNLIKE],
    [
      "of which more was taken back than came",
      "update payment_returns set due = due + 100000 where id = 1",
      0,
      "more was taken back than was credited",
    ],
    [
      "of which a rest goes on after its return",
      "update payment_returns set ended_at = 1 where kind = 'dispute' and due = 60000",
      5,
      "the rests of return \\d+ are not what it left",
    ],
    [
      "of which a rest is greater than its return",
      "update payment_returns set due = 40001, amount = 40001 where reference like 'rest:%'",
      5,
      "the rests of return \\d+ are not what it left",
    ],
    [
      "of which a rest has no return",
      "update payment_returns set reference = 'rest:99:0' where reference like 'rest:%'",
      5,
      "the rests of return 99 are not what it left",
    ],
  ])("names those %s", async (_, sql, place, says) => {
    const { problems } = await audited(await copies.tampered(sql));
    expect(problems).toContainEqual(expect.stringMatching(`^top-up ${orders[place]}: ${says}$`));
  });

  it.each([
    ["took nothing", "delete from transfers where code = 'chargeback'", 0],
    ["took from another member", first("chargeback", "debit = 'member:9'"), 0],
    ["took less than is due", first("chargeback", "amount = amount - 1"), 0],
    ["left a greater debt", "update debts set amount = amount + 1", 2],
    ["says more of its debt is paid than came", "update debts set paid = paid + 1", 2],
    ["had its debt paid by another member", first("debt", "debit = 'member:9'"), 2],
    ["counts its debt as settled too early", "update debts set settled_at = 1", 2],
    [
      "counts its debt as open once it is paid",
      "update debts set amount = paid; update payment_returns set due = 50000 where id = 3",
      2,
    ],
    ["failed, and gave nothing back", "delete from transfers where code = 'chargeback-return'", 1],
    ["failed, and gave more back than it took", first("chargeback-return", "amount = amount + 1"), 1],
    ["failed, and gave back to another member", first("chargeback-return", "credit = 'member:9'"), 1],
    ["gave back what it still takes", "update payment_returns set ended_at = null where id = 2", 1],
  ])("names a payment return that %s", async (_, sql, place) => {
    const named = (await audited(await copies.tampered(sql))).problems.filter((one) =>
      one.startsWith("payment return"),
    );
    expect(named).toContainEqual(
      expect.stringMatching(
        `^payment return ${orders[place]}:\\S+: its transfers and its debt are not those of what was taken back$`,
      ),
    );
  });
});
