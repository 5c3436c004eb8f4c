import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const test = browserTest({});

const isGoing = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute("data-going"));
/** How much of the window's width the line at the top takes. */
const lineOf = (page: Page) =>
  page.evaluate(() => new DOMMatrix(getComputedStyle(document.documentElement, "::before").transform).a);

/** Lets a screen's file come only when it is told to. */
async function holdScreen(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(new RegExp(`/assets/${name}-`), async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describe("a tap whose screen is on its way", () => {
  test("is seen at once, by a line at the top, until the screen stands", async ({ enter }) => {
    const { page, words } = await enter("taps_on");
    const release = await holdScreen(page, "Games");
    await page.goto("/Home");
    const tab = (name: "tab.home" | "tab.game") =>
      page.getByRole("navigation").getByRole("link", { name: words.text(name) });
    await tab("tab.game").click();
    expect(await isGoing(page)).toBe(true);
    expect(await lineOf(page)).toBeGreaterThanOrEqual(0.08);
    // What was there stays.
    await expect.poll(() => tab("tab.home").getAttribute("aria-current")).toBe("page");
    release();
    await expect.poll(() => tab("tab.game").getAttribute("aria-current")).toBe("page");
    expect(await isGoing(page)).toBe(false);
  });

  test("is not waited for where it leads nowhere else", async ({ enter }) => {
    const { page, words, button } = await enter("taps_twice");
    await page.goto("/Home");
    const home = page.getByRole("navigation").getByRole("link", { name: words.text("tab.home") });
    await home.click();
    expect(await isGoing(page)).toBe(false);
    await page.locator('a[href="/Setting"], a[href="/Video"]').first().click();
    await button("action.back").click();
    await expect.poll(() => home.getAttribute("aria-current")).toBe("page");
    await expect.poll(() => isGoing(page)).toBe(false);
  });
});
