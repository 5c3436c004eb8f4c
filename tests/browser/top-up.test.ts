import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import type { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
let members = 0;
const test = browserTest();
test.beforeEach(async ({ enter }) => {
  visitor = await enter(`payer_${++members}`);
  await visitor.page.goto("/Home");
});

const frame = () => visitor.page.frameLocator("iframe");
const path = () => new URL(visitor.page.url()).pathname;

const balance = () => visitor.page.locator("main .figures").first().textContent();

/** From the member's own screen to the payment: with one channel there is nothing to choose. */
async function chooseAmount(amount: string): Promise<void> {
  const { page } = visitor;
  await page.locator('nav a[href="/Mine"]').click();
  await visitor.button("mine.recharge").click();
  await visitor.field("recharge.amount").fill(amount);
  await visitor.button("recharge.pay").click();
  await page.waitForURL(/\/Channel/);
}

async function pay(amount: string): Promise<void> {
  await chooseAmount(amount);
  await frame().locator("button.pay").click();
  await finish();
}

/** The receipt says what was paid; from there a press leads back. */
async function finish(): Promise<void> {
  const { page, words, button } = visitor;
  await page.getByRole("dialog").getByText(words.text("channel.paid")).waitFor();
  await button("channel.return").click();
}

describe("topping up", () => {
  test("says what is wrong with an amount, keeps it over a reload, and accepts digits only", async () => {
    const { page, words } = visitor;
    await page.goto("/Recharge");
    await visitor.button("recharge.pay").click();
    await page.getByText(words.text("recharge.enter")).waitFor();
    for (const wrong of ["0", "2000000001"]) {
      await visitor.field("recharge.amount").fill(wrong);
      await visitor.button("recharge.pay").click();
      await page.getByText(words.text("recharge.wrong")).waitFor();
    }
    await visitor.field("recharge.amount").fill("1a2.3");
    await page.reload();
    expect(await visitor.field("recharge.amount").inputValue()).toBe("123");
  });

  test("ends where it was opened, without extra history entries", async () => {
    await pay("123");
    const { page } = visitor;
    await page.waitForURL(/\/Mine/);
    await expect.poll(balance).toBe("123");
    await page.goBack();
    await expect.poll(path).toBe("/Home");
  });

  test("orders once for two quick taps and a reload", async () => {
    const { page } = visitor;
    await page.locator('nav a[href="/Mine"]').click();
    await visitor.button("mine.recharge").click();
    await visitor.field("recharge.amount").fill("31");
    await visitor.button("recharge.pay").dblclick();
    await frame().locator("button.pay").waitFor();
    await visitor.page.reload();
    await frame().locator("button.pay").waitFor();
    await visitor.page.goto("/RechargeRecord");
    await visitor.page.getByText("31", { exact: true }).first().waitFor();
    expect(await visitor.page.getByText("31", { exact: true }).count()).toBe(1);
  });

  test("lets the amount be changed on the way, and orders nothing for a link from elsewhere", async () => {
    const { page, words } = visitor;
    await chooseAmount("30");
    await frame().locator("button.pay").waitFor();
    await page.getByRole("button", { name: words.text("channel.change") }).click();
    await visitor.field("recharge.amount").fill("35");
    await visitor.button("recharge.pay").click();
    await frame().getByText("35").first().waitFor();
    await page.goto("/Channel?money=1000");
    await page.getByRole("button", { name: /sandbox/i }).waitFor();
    await page.goto("/RechargeRecord");
    await page.getByRole("list", { name: words.text("rechargeRecord.list") }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(2);
  });

  test("that failed says so, and can be tried again", async () => {
    await chooseAmount("40");
    await frame().locator("button.fail").click();
    await visitor.page.getByText(visitor.words.text("channel.failed")).waitFor();
    await visitor.button("action.retry").click();
    await frame().locator("button.pay").click();
    await finish();
    await visitor.page.waitForURL(/\/Mine/);
    await expect.poll(balance).toBe("40");
  });

  test("never shows the app within the app, and continues where it was", async () => {
    await chooseAmount("50");
    await frame().locator("a").click();
    await visitor.button("channel.paying").waitFor();
    expect(await visitor.page.locator("iframe").count()).toBe(0);
    await visitor.button("channel.paying").click();
    await frame().locator("button.pay").waitFor();
    await visitor.button("action.back").click();
    await expect.poll(path).toBe("/Recharge");
    expect(await visitor.field("recharge.amount").inputValue()).toBe("50");
  });

  test("goes back by itself when it was paid in another tab", async () => {
    await chooseAmount("60");
    const { page, device, words } = visitor;
    const opened = device.waitForEvent("page");
    await page.getByRole("link", { name: words.text("channel.newTab") }).click();
    await (await opened).locator("button.pay").click();
    await finish();
    await page.waitForURL(/\/Mine/);
    await expect.poll(balance).toBe("60");
  });

  test("is noticed without the live connection too", async () => {
    const { page } = visitor;
    await page.routeWebSocket(/socket\.io/, (socket) => void socket.close());
    await page.route(/socket\.io/, (request) => request.abort());
    await page.reload();
    await pay("70");
    await page.waitForURL(/\/Mine/);
    await expect.poll(balance).toBe("70");
  });
});
