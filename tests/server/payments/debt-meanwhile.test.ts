import { spend } from "../../support/ledger.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { applyEvent } from "#server/domains/payments/apply-event.ts";
import { withdraw } from "#server/domains/payments/withdraw.ts";
import { refuseUnfit, type WithdrawalRequest } from "#server/domains/payments/withdrawal-rules.ts";
import { fromUnits } from "#shared/money.ts";
import { give } from "../../support/credentials.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, seen, stripeWorld, tellByStripe } from "./provider-world.ts";
import { bind, PIN } from "./purse.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;
let orderNo: string;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  mia = await w.player("mia_1");
  await give(w, mia.memberId, { pin: PIN });
  await bind(mia);
  orderNo = await orderBy(mia, "stripe", 1_000);
  await tellByStripe(w, stripe.pay(orderNo));
  await spend(w, mia, 600);
});
afterEach(() => close());

/** The payment is taken back, so 600 of it are owed; then 500 come in. All of it is committed when `end` is called. */
async function owing() {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const returned = { kind: "returned", why: "dispute", orderNo, reference: "dp_1" } as const;
  const committed = w.deps.db.transact(async (tx) => {
    await applyEvent(tx, w.deps, "stripe", { ...returned, amount: fromUnits(1_000), unit: "EUR" });
    await creditMember(tx, w.deps, mia.memberId, fromUnits(500), "It came in");
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  const end = () => {
    held.resolve();
    return committed;
  };
  return { end };
}

describe("a debt that arises after a withdrawal was checked", () => {
  it("and before it is written refuses it, and leaves no trace of it", async () => {
    const wish: WithdrawalRequest = { memberId: mia.memberId, amount: fromUnits(300), locale: "en_us" };
    const debt = await owing();
    // The debt is not committed yet.
    await refuseUnfit(w.deps.db.read, w.deps, wish);
    const asked = w.deps.db.transact((tx) => withdraw(tx, w.deps, wish)).catch((error: unknown) => error);
    await debt.end();
    expect(await asked).toMatchObject({ reason: "debt.open" });
    expect(await seen(w, mia)).toMatchObject({ balance: 500, owes: 600, orders: ["disputed"] });
    expect((await mia.call("/member/getUserWithdrawList")).data).toEqual([]);
  });
});
