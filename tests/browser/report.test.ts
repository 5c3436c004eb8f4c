import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const test = browserTest();

describe("the report over time", () => {
  test("shows days, weeks and months as bars and as a table, and follows new bets", async ({ join, come }) => {
    const member = await join("counter");
    const visitor = await come({ token: member.token! });
    const { page, words } = visitor;
    await page.goto("/Personalreport");
    await page.getByText(words.text("report.quiet")).waitFor();
    await member.topUp(1_000);
    await visitor.openTable();
    await visitor.bet(["A", "B"], 10);
    await page.goto("/Personalreport");
    await page.getByRole("img", { name: /20 staked, 19\.50 paid out/ }).waitFor();
    await page.locator("summary").click();
    const rows = page.locator("tbody tr");
    expect(await rows.count()).toBe(30);
    await page.getByRole("tab", { name: words.text("report.week") }).click();
    await page
      .getByRole("img", { name: words.like("report.chart", { span: words.text("report.spanWeek") }) })
      .waitFor();
    await page.locator("summary").click();
    expect(await rows.count()).toBe(12);
    expect(await rows.first().locator("td").allTextContents()).toEqual(["20", "19.50", "1,000", "0"]);
  });
});
