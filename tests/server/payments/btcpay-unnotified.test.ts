import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import type { BtcpayServer } from "../../support/btcpay-server.ts";
import type { Player, World } from "../../support/world.ts";
import { btcpayWorld, orderBy, seen, topUpBy } from "./provider-world.ts";

let w: World;
let btcpay: BtcpayServer;
let close: () => Promise<void>;
let mia: Player;

beforeEach(async () => {
  ({ w, provider: btcpay, close } = await btcpayWorld());
  mia = await w.player("mia_1");
});
afterEach(() => close());

const order = (money = 10) => orderBy(mia, "btcpay", money);
const look = async () => {
  await w.site.payments.tick();
  return seen(w, mia);
};
const PAID = { balance: 10, orders: ["paid"], ledger: ["deposit +10"], owes: 0, reviews: [] };

describe("a payment without a notification from BTCPay Server", () => {
  it("is found after our server was down for an hour", async () => {
    await look();
    const orderNo = await order();
    btcpay.become(orderNo, "Settled", { paid: 1_000 });
    w.pass(HOUR_MS);
    await w.restart();
    expect(await look()).toMatchObject(PAID);
  });

  it("is found in the invoice list when the order had lapsed", async () => {
    await look();
    const orderNo = await order();
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"] });
    btcpay.become(orderNo, "Expired", { additional: "PaidLate", paid: 1_000 });
    w.pass(6 * MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("is found however many invoices came after it", async () => {
    await look();
    const orderNo = await order();
    w.pass(31 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"] });
    btcpay.become(orderNo, "Expired", { additional: "PaidLate", paid: 1_000 });
    btcpay.sellElsewhere(2_000);
    w.pass(6 * MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("is found once the list can be read to its end", async () => {
    await look();
    const orderNo = await order();
    w.pass(31 * MINUTE_MS);
    await look();
    btcpay.become(orderNo, "Expired", { additional: "PaidLate", paid: 1_000 });
    btcpay.sellElsewhere(100);
    btcpay.trouble = ({ query }) => (query.get("skip") === "100" ? 503 : null);
    w.pass(6 * MINUTE_MS);
    expect(await look()).toMatchObject({ orders: ["failed"] });
    btcpay.trouble = () => null;
    w.pass(MINUTE_MS);
    expect(await look()).toMatchObject(PAID);
  });

  it("makes no second invoice when its answer was lost", async () => {
    let lost = 0;
    btcpay.trouble = ({ method }) => (method === "POST" && lost++ === 0 ? "lost" : null);
    expect((await topUpBy(mia, "btcpay", 10)).code).toBe(200);
    expect(btcpay.invoices).toHaveLength(1);
  });

  it("is found by its order's number when its answer was lost for good", async () => {
    btcpay.trouble = () => "lost";
    expect((await topUpBy(mia, "btcpay", 10, "tap")).data).toEqual({ reason: "recharge.away" });
    btcpay.trouble = ({ method }) => (method === "POST" ? "lost" : null);
    expect((await topUpBy(mia, "btcpay", 10, "tap")).code).toBe(200);
    expect([btcpay.invoices.length, (await seen(w, mia)).orders]).toEqual([1, ["waiting"]]);
  });
});
