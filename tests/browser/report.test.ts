import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("the report over time", () => {
  it("shows days, weeks and months as bars and as a table, and follows new bets", async () => {
    const visitor = await Visitor.come(browser, server.address);
    const { page, words } = visitor;
    await visitor.register("counter");
    await page.goto("/Personalreport");
    await page.getByText(words.text("report.quiet")).waitFor();
    await visitor.topUp(1_000);
    await visitor.openTable();
    await visitor.bet(["A", "B"], 10);
    await page.goto("/Personalreport");
    await page.getByRole("img", { name: /20\.00 staked, 19\.50 won/ }).waitFor({ timeout: 30_000 });
    await page.locator("summary").click();
    const rows = page.locator("tbody tr");
    expect(await rows.count()).toBe(30);
    await page.getByRole("tab", { name: words.text("report.week") }).click();
    await page
      .getByRole("img", { name: words.like("report.chart", { span: words.text("report.spanWeek") }) })
      .waitFor();
    await page.locator("summary").click();
    expect(await rows.count()).toBe(12);
    expect(await rows.first().locator("td").allTextContents()).toEqual(["20.00", "19.50", "1,000.00", "0.00"]);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });
});
