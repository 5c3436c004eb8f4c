import { chromium, type Browser, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";
import { createDatabase, tokenOf } from "./database.ts";
import { percentile } from "./measure.ts";
import { startPart } from "./part.ts";
import { beginTrace, endTrace, markPage } from "./parts/page-costs.ts";
import type { ServerPart } from "./parts/server.ts";
import { inMs, type Row } from "./report.ts";

const ROUNDS = 32;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const games = [{ key: "k3-1m", name: "A minute", periodS: 60, closeS: 3 }];

/**
 * What a round costs the page's thread while its worker watches: what it tells the worker, and what it does with each
 * answer. It is the thread's own time, in which no other program's work counts.
 */
export const watchedRoundRow: Row = async (log) => {
  using database = await createDatabase(1);
  await using server = startPart<ServerPart>("server");
  const url = await server.call("open", { folder: database.folder, games, how: "byHand" });
  await using browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  const page = await openTable(browser, url);
  await beginTrace(browser, page);
  for (let round = 0; round < ROUNDS; round++) {
    await server.call("nextRound");
    await page.waitForFunction((before) => window.watchedResults > before, round);
  }
  const costs = await endTrace(browser);
  log(`${costs.length} rounds`);
  return [
    {
      what: "what a watched round costs the page's thread, 95th percentile",
      value: percentile(costs, 0.95),
      unit: "ms",
      detail: `median ${inMs(percentile(costs, 0.5))}, ${costs.length} rounds`,
      goal: { better: "less", target: 5 },
    },
  ];
};

/** A member at the table. */
async function openTable(browser: Browser, url: string): Promise<Page> {
  const device = await browser.newContext(PHONE);
  await device.addInitScript((token) => {
    localStorage.setItem("viodeLang", "en_us");
    localStorage.setItem("token", token);
    localStorage.setItem("tableTold", "yes");
  }, tokenOf(1));
  const page = await device.newPage();
  await markPage(page);
  const watches = page.waitForEvent("worker");
  await page.goto(`${url}/Game`);
  await page.locator('a[href*="/Lottery?"]').first().click();
  await watches;
  return page;
}
