import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doRecharge } from "#shared/contract/payments.ts";
import { launchBrowser } from "../support/browser.ts";
import { Client, pay } from "../support/client.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const TOP_UPS = 35;

let browser: Browser;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
  const member = await new Client(server.address).register("goes_back");
  token = member.token!;
  for (let i = 0; i < TOP_UPS; i++) {
    const { pay_url } = await member.must(doRecharge, { pay_way: "sandbox", money: "1" });
    await pay(pay_url);
  }
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("going back", () => {
  it("leads to the same place of a long list, to the pixel, with the loaded pages", async () => {
    const visitor = await Visitor.come(browser, server.address, { token });
    const { page } = visitor;
    await page.goto("/Mine");
    await page.locator('a[href="/Moneylog"]').click();
    const rows = page.locator("main ul > li");
    await rows.first().waitFor();
    for (let loaded = 10; loaded < 30; loaded += 10) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect.poll(() => rows.count()).toBeGreaterThan(loaded);
    }
    await page.evaluate(() => window.scrollTo(0, 1_234));
    await page.waitForTimeout(100);
    await page.goBack();
    await page.locator('a[href="/Moneylog"]').waitFor();
    await page.goForward();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1_234);
    expect(await rows.count()).toBeGreaterThanOrEqual(30);
    await visitor.close();
  });

  it("opens a new screen at its top", async () => {
    const visitor = await Visitor.come(browser, server.address, { token });
    const { page } = visitor;
    await page.goto("/Mine");
    await page.locator('a[href="/About"]').first().waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.locator('a[href="/About"]').first().click();
    await page.waitForURL(/\/About/);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await visitor.close();
  });
});
