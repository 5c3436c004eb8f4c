import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { BTCPAY_KEY, BTCPAY_SECRET, BTCPAY_STORE, BtcpayServer, signedByBtcpay } from "../support/btcpay-server.ts";
import type { StoryServer } from "../support/server-process.ts";
import { STRIPE_KEY, StripeServer, type StripeEvent } from "../support/stripe-server.ts";
import { signedByStripe, WEBHOOK_SECRET } from "../support/stripe-signature.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

let server: StoryServer;
let visitor: Visitor;
let members = 0;

// The providers are asked by a server that starts after them, and tell the time by its clock.
const stripe = await new StripeServer(() => server.clock.now()).listen();
const btcpay = await new BtcpayServer(() => server.clock.now()).listen();
afterAll(() => Promise.all([stripe.close(), btcpay.close()]));

const test = browserTest({
  env: {
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_URL: stripe.url,
    BTCPAY_URL: btcpay.url,
    BTCPAY_STORE,
    BTCPAY_API_KEY: BTCPAY_KEY,
    BTCPAY_WEBHOOK_SECRET: BTCPAY_SECRET,
  },
  furnish: async (started) => {
    server = started;
    await operatorOf(server)("setting:set", "unit", "EUR");
    await operatorOf(server)("setting:set", "pay_fees", "btcpay=1.5");
  },
});
test.beforeEach(async ({ enter }) => {
  visitor = await enter(`payer_${++members}`);
});

async function tell(channel: string, shown: object, header: string, sign: (payload: string) => string): Promise<void> {
  const payload = JSON.stringify(shown);
  const headers = { "content-type": "application/json", [header]: sign(payload) };
  const response = await fetch(`${server.address}/api/pay/notify/${channel}`, {
    method: "POST",
    headers,
    body: payload,
  });
  expect(response.status).toBe(200);
}
const tellByStripe = (event: StripeEvent) =>
  tell("stripe", event, "stripe-signature", (payload) => signedByStripe(payload, server.clock.now()));

const path = () => new URL(visitor.page.url()).pathname;

/** Chooses a channel for an amount. Returns the order that its provider received. */
async function choose(channel: RegExp, money = "100"): Promise<void> {
  const { page } = visitor;
  await page.goto("/Recharge");
  await visitor.field("recharge.amount").fill(money);
  await visitor.button("recharge.next").click();
  await page.waitForURL(/\/Channel/);
  await page.getByRole("button", { name: channel }).click();
}
const newest = <T>(all: Iterable<T>): T => [...all].at(-1)!;

describe("a channel whose page may not be framed", () => {
  test("opens beside the app, which continues by itself once it is paid", async () => {
    const { page, words } = visitor;
    await choose(/Stripe/);
    const link = page.getByRole("link", { name: words.text("channel.open") });
    const [connection] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await connection.waitForURL(/\/c\/pay\//);
    await tellByStripe(stripe.pay(newest(stripe.sessions.values()).client_reference_id!));
    await page.getByText(words.text("channel.paid")).first().waitFor();
    await visitor.button("channel.return").click();
    await expect.poll(path).not.toBe("/Channel");
  });

  test("works in the specification's frame too: our page leads on, and comes back to the records", async () => {
    const { page } = visitor;
    await choose(/Stripe/);
    await page.getByRole("link", { name: visitor.words.text("channel.open") }).waitFor();
    const orderNo = newest(stripe.sessions.values()).client_reference_id!;
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement("iframe"), { src, width: "390", height: "600" });
      document.body.replaceChildren(frame);
    }, `/pay/order/${orderNo}`);
    const inside = page.frameLocator("iframe");
    await inside.getByRole("link", { name: "Open the payment page" }).waitFor();
    await tellByStripe(stripe.pay(orderNo));
    await expect.poll(() => page.frames().at(-1)!.url()).toContain("/RechargeRecord");
  });
});

describe("a channel whose page is framed", () => {
  test("is in the frame, with its fee above it, and goes once it is paid", async () => {
    const { page, words } = visitor;
    await choose(/BTCPay/);
    await page.frameLocator("iframe").getByText("/i/inv").waitFor();
    await page.getByText("€101.50").waitFor();
    const delivery = btcpay.become(newest(btcpay.invoices).metadata.orderId!, "Settled", { paid: 10_150 });
    await tell("btcpay", delivery, "btcpay-sig", (payload) => signedByBtcpay(payload));
    await page.getByText(words.text("channel.paid")).first().waitFor();
  });
});

describe("a payment that was taken back", () => {
  test("is in the records, and the debt is on the screen for withdrawals", async () => {
    const { page, words } = visitor;
    await choose(/Stripe/, "500");
    await page.getByRole("link", { name: words.text("channel.open") }).waitFor();
    const orderNo = newest(stripe.sessions.values()).client_reference_id!;
    await tellByStripe(stripe.pay(orderNo));
    await page.getByText(words.text("channel.paid")).first().waitFor();
    const file = join(server.folder, "plans.json");
    writeFileSync(file, JSON.stringify([{ id: "plan_7", name: "A week", days: 7, price: 300 }]));
    await operatorOf(server)("plan:set", file);
    await page.evaluate(async () => {
      const headers = { token: btoa(localStorage.getItem("token")!), "content-type": "application/json" };
      await fetch("/api/member/buyPlan", { method: "POST", headers, body: '{"id":"plan_7"}' });
    });
    await tellByStripe(stripe.dispute(orderNo));
    await page.goto("/RechargeRecord");
    await page.getByText("Taken back by the payment channel").waitFor();
    for (const [lang, owed] of [
      ["en_us", "You owe €300.00"],
      ["ko_kr", "미납금 €300.00"],
      ["vn_vn", "Bạn còn nợ 300,00"],
    ] as const) {
      await page.evaluate((code) => localStorage.setItem("viodeLang", code), lang);
      await page.goto("/Withdraw");
      await page.getByText(owed).first().waitFor();
    }
  });
});
