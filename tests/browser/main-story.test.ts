import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const TOP_UP = 1_000;
const STAKE = 50;
/** Two of the four even chances always win; each returns 1.95 times its stake. */
const EVENS = ["A", "B", "C", "D"];
const AFTER_WIN = (TOP_UP - 4 * STAKE + 2 * STAKE * 1.95) * 100;

let browser: Browser;
let server: ServerProcess;
const visitors: Visitor[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await ServerProcess.start();
});
afterEach(async () => {
  for (const visitor of visitors.splice(0)) await visitor.close();
  await server.close();
});

async function come(name: string, visit: Parameters<typeof Visitor.come>[2] = {}): Promise<Visitor> {
  const visitor = await Visitor.come(browser, server.address, visit);
  visitors.push(visitor);
  await visitor.register(name);
  await visitor.topUp(TOP_UP);
  return visitor;
}

describe("the whole story on a phone", () => {
  it("register, top up, bet, see the dice, be paid without a reload, and check the draw", async () => {
    const visitor = await come("storyteller");
    const { page, words } = visitor;
    await visitor.openTable();
    await expect.poll(() => visitor.balance()).toBe(TOP_UP * 100);
    await page.evaluate(() => ((window as { stays?: true }).stays = true));

    await visitor.bet(EVENS, STAKE);
    await expect.poll(() => visitor.balance()).toBe((TOP_UP - 4 * STAKE) * 100);
    await page.getByText(words.like("round.won")).first().waitFor({ timeout: 20_000 });
    await expect.poll(() => visitor.balance()).toBe(AFTER_WIN);
    expect(await page.evaluate(() => (window as { stays?: true }).stays)).toBe(true);

    await page.getByRole("link", { name: words.text("round.check") }).click();
    await page.getByText(words.text("fair.good")).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("in Korean, with two who watch one round and see the same dice", async () => {
    const better = await come("better_one", { lang: "ko_kr" });
    const watcher = await come("watcher_one", { lang: "ko_kr" });
    await Promise.all([better.openTable(4), watcher.openTable(4)]);
    const round = (await better.roundShown())!;
    await better.bet(EVENS, STAKE);
    const heard = (visitor: Visitor) =>
      visitor.page.getByText(visitor.words.like("round.result", { round })).first().textContent({ timeout: 20_000 });
    const [first, second] = await Promise.all([heard(better), heard(watcher)]);
    expect(first).toContain(second?.trim());
    await expect.poll(() => better.balance()).toBe(AFTER_WIN);
    expect(await watcher.balance()).toBe(TOP_UP * 100);
    expect([...better.faults, ...watcher.faults]).toEqual([]);
  });

  it.each([-5_000, 5_000])("on a device whose clock is %i ms off, with no error", async (clockOffMs) => {
    const visitor = await come("clock_off", { clockOffMs });
    await visitor.openTable();
    await visitor.bet(["A"], STAKE);
    await expect.poll(() => visitor.balance()).toBe((TOP_UP - STAKE) * 100);
    expect(visitor.faults).toEqual([]);
  });
});
