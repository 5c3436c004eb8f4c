import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { systemConfig } from "#shared/contract/site.ts";
import { browserTest } from "../support/browser-test.ts";
import { offerPrizes } from "../support/prizes.ts";
import { wordsIn } from "../support/words.ts";

/** As many games as Home keeps room for, and no banner. */
const games = [
  { key: "k3-10s", name: "Ten seconds", periodS: 10, closeS: 2 },
  { key: "k3-1m", name: "One minute", periodS: 60, closeS: 3 },
  { key: "k3-5m", name: "Five minutes", periodS: 300, closeS: 3 },
];
const test = browserTest({ games, furnish: offerPrizes });

/** Layout shift that a reader hardly notices, in shares of the screen that moved times how far it moved. */
const MOST = 0.02;
/** After so long what comes after the first screen comes, whether that is complete or not. */
const FIRST_SCREEN_MS = 4_000;
/** Each answer takes so long, as on a slow line: what waits for one is painted before. */
const ANSWER_MS = 150;

interface Watched extends Window {
  shifts: { value: number; moved: string[] }[];
}

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** Notes what moves on each page that is opened from now on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Watched["shifts"] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as Shift;
        const told = ({ node, previousRect, currentRect }: Shift["sources"][number]) =>
          `${previousRect.y} to ${currentRect.y}: ${node?.outerHTML?.slice(0, 120)}`;
        shifts.push({ value, moved: sources.map(told) });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** What moved on a screen that opens where each answer takes its time, or nothing if hardly a reader noticed. */
async function movedOn(page: Page, address: string): Promise<Watched["shifts"]> {
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
  return sum > MOST ? shifts : [];
}

describe("a screen that opens on a slow line", () => {
  test.for([
    ["/Home", "home"],
    ["/Video", "hall"],
    ["/List", "listings"],
    ["/Game", "games"],
    ["/Lottery?key=k3-10s&id=lot_1", "table"],
    ["/luckDraw", "wheel"],
    ["/Mine", "mine"],
  ] as const)("%s moves nothing that was painted", async ([address, name], { enter }) => {
    const { page } = await enter(`at_${name}`, 0);
    expect(await movedOn(page, address)).toEqual([]);
  });

  test.for(["/Home", "/Mine"])(
    "%s moves nothing for who has a bet on an open round",
    async (address, { join, come }) => {
      const member = await join(`bet_at_${address.slice(1).toLowerCase()}`, 100);
      const game = (await member.must(lotteryList)).find(({ key }) => key === "k3-5m")!;
      const { expect: round } = await member.openRound("k3-5m", 2_000);
      await member.must(placeOrder, { item: "A", money: "10", lid: game.id, mid: "", expect: round });
      const { page } = await come({ token: member.token! });
      expect(await movedOn(page, address)).toEqual([]);
      await page.locator('main a[href="/Lottery?key=k3-5m"]').first().waitFor();
    },
  );

  test("Home puts nothing below its news before it is known whether there are any", async ({ enter }) => {
    const { page } = await enter("asks_for_news");
    const answered = Promise.withResolvers<void>();
    await page.route(`**/api${systemConfig.path}`, async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.goto("/Home");
    await page.getByRole("article").nth(2).waitFor();
    const listings = page.getByRole("region", { name: wordsIn("en_us").text("listing.title") });
    // After so long the first screen counts as complete, and what comes later comes.
    await new Promise((resolve) => setTimeout(resolve, FIRST_SCREEN_MS));
    expect(await listings.count()).toBe(0);
    answered.resolve();
    await listings.waitFor();
  });

  test("is Home, which knows nothing of the site at a first visit", async ({ come }) => {
    const { page } = await come();
    expect(await movedOn(page, "/Home")).toEqual([]);
  });
});
