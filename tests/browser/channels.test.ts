import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { BTCPAY_KEY, BTCPAY_SECRET, BTCPAY_STORE, BtcpayServer, signedByBtcpay } from "../support/btcpay-server.ts";
import { ServerProcess } from "../support/server-process.ts";
import { STRIPE_KEY, StripeServer, type StripeEvent } from "../support/stripe-server.ts";
import { signedByStripe, WEBHOOK_SECRET } from "../support/stripe-signature.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
let stripe: StripeServer;
let btcpay: BtcpayServer;
let visitor: Visitor;
let members = 0;

beforeAll(async () => {
  browser = await launchBrowser();
  stripe = await new StripeServer(() => server.clock.now()).listen();
  btcpay = await new BtcpayServer(() => server.clock.now()).listen();
  server = await ServerProcess.start({
    env: {
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_URL: stripe.url,
      BTCPAY_URL: btcpay.url,
      BTCPAY_STORE,
      BTCPAY_API_KEY: BTCPAY_KEY,
      BTCPAY_WEBHOOK_SECRET: BTCPAY_SECRET,
    },
  });
  await operator("setting:set", "unit", "EUR");
  await operator("setting:set", "pay_fees", "btcpay=1.5");
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await stripe.close();
  await btcpay.close();
});
beforeEach(async () => {
  visitor = await Visitor.come(browser, server.address);
  await visitor.register(`payer_${++members}`);
});
afterEach(() => visitor.close());

async function operator(...words: string[]): Promise<void> {
  const { code, out } = await server.run("server/admin/main.ts", ...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${out}`);
}

async function tell(channel: string, said: object, header: string, sign: (payload: string) => string): Promise<void> {
  const payload = JSON.stringify(said);
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
  it("opens beside the app, which continues by itself once it is paid", async () => {
    const { page, words } = visitor;
    await choose(/Stripe/);
    const link = page.getByRole("link", { name: words.text("channel.open") });
    const [beside] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await beside.waitForURL(/\/c\/pay\//);
    await tellByStripe(stripe.pay(newest(stripe.sessions.values()).client_reference_id!));
    await page.getByText(words.text("channel.paid")).first().waitFor();
    expect(path()).not.toBe("/Channel");
    expect(visitor.faults).toEqual([]);
  });

  it("works in the specification's frame too: our page leads on, and comes back to the records", async () => {
    const { page } = visitor;
    await choose(/Stripe/);
    await page.getByRole("link", { name: visitor.words.text("channel.open") }).waitFor();
    const orderNo = newest(stripe.sessions.values()).client_reference_id!;
    await page.evaluate((src) => {
      document.body.innerHTML = `<iframe src="${src}" style="width:100%;height:600px"></iframe>`;
    }, `/pay/order/${orderNo}`);
    const inside = page.frameLocator("iframe");
    await inside.getByRole("link", { name: "Open the payment page" }).waitFor();
    await tellByStripe(stripe.pay(orderNo));
    await expect.poll(() => page.frames().at(-1)!.url(), { timeout: 30_000 }).toContain("/RechargeRecord");
  });
});

describe("a channel whose page is framed", () => {
  it("is in the frame, with its fee above it, and goes once it is paid", async () => {
    const { page, words } = visitor;
    await choose(/BTCPay/);
    await page.frameLocator("iframe").getByText("/i/inv").waitFor();
    await page.getByText("€101.50").waitFor();
    const told = btcpay.become(newest(btcpay.invoices).metadata.orderId!, "Settled", { paid: 10_150 });
    await tell("btcpay", told, "btcpay-sig", (payload) => signedByBtcpay(payload));
    await page.getByText(words.text("channel.paid")).first().waitFor();
    expect(visitor.faults).toEqual([]);
  });
});

describe("a payment that was taken back", () => {
  it("is in the records, and the debt is on the screen for withdrawals", async () => {
    const { page, words } = visitor;
    await choose(/Stripe/, "500");
    await page.getByRole("link", { name: words.text("channel.open") }).waitFor();
    const orderNo = newest(stripe.sessions.values()).client_reference_id!;
    await tellByStripe(stripe.pay(orderNo));
    await page.getByText(words.text("channel.paid")).first().waitFor();
    const file = join(server.folder, "plans.json");
    writeFileSync(file, JSON.stringify([{ id: "plan_7", name: "A week", days: 7, price: 300 }]));
    await operator("plan:set", file);
    await page.evaluate(async () => {
      const headers = { token: btoa(localStorage.getItem("token")!), "content-type": "application/json" };
      await fetch("/api/member/buyPlan", { method: "POST", headers, body: '{"id":"plan_7"}' });
    });
    await tellByStripe(stripe.dispute(orderNo));
    await page.goto("/RechargeRecord");
    await page.getByText("Taken back by the payer’s bank").waitFor();
    for (const [lang, owed] of [
      ["en_us", "You owe €300.00"],
      ["ko_kr", "미납금 €300.00"],
      ["vn_vn", "Bạn còn nợ 300,00"],
    ] as const) {
      await page.evaluate((code) => localStorage.setItem("viodeLang", code), lang);
      await page.goto("/Withdraw");
      await page.getByText(owed).first().waitFor();
    }
    expect(visitor.faults).toEqual([]);
  });
});
