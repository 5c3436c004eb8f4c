import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { offerPrizes } from "../support/prizes.ts";

const test = browserTest({ furnish: offerPrizes });

/** Layout shift that a reader hardly notices, in shares of the screen that moved times how far it moved. */
const MOST = 0.02;
/** Each answer takes so long, as on a slow line: what waits for one is painted before. */
const ANSWER_MS = 150;

interface Watched extends Window {
  shifts: { value: number; moved: string[] }[];
}

/** Notes what moves on each page that is opened from now on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Watched["shifts"] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Element | null }[] };
        shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? "") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

describe("a screen that opens on a slow line", () => {
  test.for([
    ["/Video", "hall"],
    ["/List", "listings"],
    ["/Game", "games"],
    ["/Lottery?key=k3-10s&id=lot_1", "table"],
    ["/luckDraw", "wheel"],
    ["/Mine", "mine"],
  ] as const)("%s moves nothing that was painted", async ([address, name], { enter }) => {
    const { page } = await enter(`at_${name}`, 0);
    await page.route("**/api/**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      await route.continue();
    });
    await watchShifts(page);
    await page.goto(address);
    await page.locator("main").waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    const shifts = await page.evaluate(() => (window as unknown as Watched).shifts);
    const sum = shifts.reduce((all, { value }) => all + value, 0);
    expect(sum > MOST ? shifts : []).toEqual([]);
  });
});
