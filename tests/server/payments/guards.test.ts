import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import type { World } from "../../support/world.ts";
import { answerOf } from "../ledger/guarded.ts";
import { orderBy, stripeWorld, tellByStripe } from "./provider-world.ts";
import { spend } from "../../support/ledger.ts";

let w: World;
let connection: OwnConnection;
let close: () => Promise<void>;

/** A payment that was disputed after it had been spent: an order, a return and a debt. */
beforeAll(async () => {
  const opened = await stripeWorld();
  ({ w, close } = opened);
  const { memberId, ...mia } = await w.player("mia_1");
  const orderNo = await orderBy({ memberId, ...mia }, "stripe", 100);
  await tellByStripe(w, opened.provider.pay(orderNo));
  await spend(w, { memberId }, 70);
  await tellByStripe(w, opened.provider.dispute(orderNo));
  connection = await openConnection(w.config.database);
});
afterAll(async () => {
  await connection.close();
  await close();
});

describe("the database itself", () => {
  it("deletes a deposit only if it lapsed unpaid", async () => {
    expect(await answerOf(connection, "deposits", "delete from deposits")).toMatch(/only if it lapsed unpaid/);
  });

  it.each(["payment_returns", "debts"])("never deletes %s", async (table) => {
    expect(await answerOf(connection, table, `delete from ${table}`)).toMatch(/never deleted/);
  });

  it.each([
    ["deposits", "amount = amount + 1"],
    ["deposits", "unit = 'USD'"],
    ["deposits", "fee = 1"],
    ["deposits", "member_id = member_id + 1"],
    ["payment_returns", "amount = 1"],
    ["payment_returns", "due = 0"],
    ["payment_returns", "kind = 'refund'"],
    ["debts", "amount = 1"],
    ["debts", "member_id = member_id + 1"],
  ])("never changes in %s: %s", async (table, change) => {
    expect(await answerOf(connection, table, `update ${table} set ${change}`)).toMatch(/never changed/);
  });

  it("takes no payment of a debt back, and none beyond it", async () => {
    expect(await answerOf(connection, "debts", "update debts set paid = -1")).toMatch(/never changed|debts_amount/);
    expect(await answerOf(connection, "debts", "update debts set paid = amount + 1")).toMatch(/debts_amount/);
  });
});
