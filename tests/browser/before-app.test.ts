import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { PHONE } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { wordsIn } from "../support/words.ts";

const test = browserTest();
const { text } = wordsIn("en_us");

/** The place of a screen that is to come. */
const placeholder = (page: Page) => page.locator("#root > [aria-busy]");

describe("before the app is there, the page", () => {
  test("shows the place of the screen, in the colours that the member chose", async ({ browser, server }) => {
    await using device = await browser.newContext({ baseURL: server.address, colorScheme: "light", viewport: PHONE });
    await device.addInitScript(() => {
      localStorage.setItem("viodeLang", "en_us");
      localStorage.setItem("theme", "dark");
    });
    const page = await device.newPage();
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/base-[^/]+\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto("/Home", { waitUntil: "commit" });
    await placeholder(page).waitFor();
    const logo = placeholder(page).locator("img");
    await expect.poll(() => logo.evaluate((icon: HTMLImageElement) => icon.naturalWidth)).toBeGreaterThan(0);
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await expect.poll(scheme).toBe("dark");
    const before = await logo.boundingBox();

    held.resolve();
    await page.locator("h1").waitFor();
    await placeholder(page).waitFor({ state: "detached" });
    expect(await page.locator("h1 img").boundingBox()).toEqual(before);
  });

  test("says that it needs scripts where none run, and shows no place that stays empty", async ({
    browser,
    server,
  }) => {
    await using device = await browser.newContext({
      baseURL: server.address,
      locale: "en-US",
      javaScriptEnabled: false,
    });
    const page = await device.newPage();
    await page.goto("/Home");
    const said = page.locator("noscript");
    expect(await said.innerText()).toContain("Trio needs JavaScript.");
    const { y, height } = (await said.boundingBox())!;
    expect(y + height).toBeLessThan(page.viewportSize()!.height);
    expect(await placeholder(page).isVisible()).toBe(false);
  });

  test("says that there is no live connection where what keeps it does not come, and comes back by itself", async ({
    browser,
    server,
  }) => {
    await using device = await browser.newContext({ baseURL: server.address, viewport: PHONE });
    await device.addInitScript(() => localStorage.setItem("viodeLang", "en_us"));
    const page = await device.newPage();
    const isCut = /\/assets\/live-[^/]+\.js$|\/healthz$/;
    await page.route(isCut, (route) => route.abort());
    await page.goto("/Home");
    const banner = page.getByRole("status").filter({ hasText: text("state.lineAway") });
    await banner.waitFor();

    const live = page.waitForResponse(/\/assets\/live-/);
    await page.unroute(isCut);
    expect((await live).ok()).toBe(true);
    await page.locator("h1").waitFor();
    await banner.waitFor({ state: "detached" });
  });
});
