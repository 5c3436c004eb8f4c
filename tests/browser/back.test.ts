import { describe, expect } from "vitest";
import { scrollPage } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";

const TOP_UPS = 35;

/** A member with a long money log. */
const test = browserTest().extend("wanderer", { scope: "file" }, async ({ server }) => {
  const member = await new Client(server.address).register("goes_back");
  for (let i = 0; i < TOP_UPS; i++) await member.topUp(1);
  return member;
});

describe("going back", () => {
  test("leads to the same place of a long list, to the pixel, with the loaded pages", async ({ come, wanderer }) => {
    const { page } = await come({ token: wanderer.token! });
    await page.goto("/Mine");
    await page.locator('a[href="/GameRecord"]').click();
    await page.locator('a[href="/Moneylog"]').click();
    await page.waitForURL(/Moneylog/);
    const rows = page.locator("main ul > li");
    await rows.first().waitFor();
    // What is above the end may still grow: one scrolls on, until there is more.
    const scrollOn = async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return rows.count();
    };
    await expect.poll(scrollOn).toBeGreaterThanOrEqual(30);
    await scrollPage(page, 1_234);
    await page.goBack();
    await page.locator('a[href="/GameRecord"]').waitFor();
    await page.goForward();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1_234);
    expect(await rows.count()).toBeGreaterThanOrEqual(30);
  });

  test("is heard, though it was pressed between two slices of the first render", async ({ come, wanderer }) => {
    const { page } = await come({ token: wanderer.token! });
    await page.goto("/Mine");
    await page.locator('a[href="/GameRecord"]').click();
    await page.waitForURL(/GameRecord/);
    // The first screen has been rendered for one address when the router begins to listen; by then the place is another.
    await page.addInitScript(() => {
      const listen = window.addEventListener.bind(window);
      window.addEventListener = (...given: Parameters<typeof listen>) => {
        const isRouter = given[0] === "popstate" && document.querySelector("#root")!.childElementCount > 0;
        if (isRouter && window.location.pathname === "/GameRecord")
          history.replaceState({ key: "before" }, "", "/Mine");
        listen(...given);
      };
    });
    await page.reload();
    await page.locator('a[href="/About"]').first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/Mine");
  });

  test("opens a new screen at its top", async ({ come, wanderer }) => {
    const { page } = await come({ token: wanderer.token! });
    await page.goto("/Mine");
    await page.locator('a[href="/About"]').first().waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.locator('a[href="/About"]').first().click();
    await page.waitForURL(/\/About/);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });
});
