import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
let members = 0;
const test = browserTest();
test.beforeEach(async ({ enter }) => {
  visitor = await enter(`keeper_${++members}`, 1_000);
});

const shown = (key: Parameters<Visitor["words"]["like"]>[0]) => visitor.page.getByText(visitor.words.like(key)).first();
const limit = (name: string) => visitor.page.locator(`input[name="${name}"]`);

describe("the money log", () => {
  test("shows debits in green and credits in ink, and loads more by itself", async () => {
    const { page } = visitor;
    await visitor.openTable();
    const [placed] = await Promise.all([page.waitForRequest(/placeOrder/), visitor.bet(["A"], 1)]);
    const { "idempotency-key": _key, ...headers } = await placed.allHeaders();
    const again = () => page.request.post(placed.url(), { headers, data: placed.postData()! });
    for (let bets = 1; bets < 11; bets++) await again();
    await page.goto("/Moneylog");
    const rows = page.locator("main li");
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(12);
    const colour = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((amount) => [...amount.classList]);
    expect(await colour("-1.00")).toContain("text-jade");
    expect(await colour("+1,000.00")).toContain("text-ink");
  });
});

describe("limits", () => {
  test("apply at once when stricter, in a day when looser, and can be kept", async () => {
    const { page, words } = visitor;
    await page.goto("/Limits");
    await limit("stake_day").fill("500");
    await visitor.button("limit.save").click();
    await shown("limit.saved").waitFor();
    await limit("stake_day").fill("");
    await visitor.button("limit.save").click();
    await shown("limit.savedLater").waitFor();
    await page.getByText(words.like("limit.pendingNone")).waitFor();
    expect(await limit("stake_day").inputValue()).toBe("500");
    await visitor.button("limit.keep").click();
    await page.getByText(words.like("limit.pendingNone")).waitFor({ state: "detached" });
  });

  test("that are no amounts are refused, and stay on the screen", async () => {
    await visitor.page.goto("/Limits");
    await limit("loss_week").fill("0");
    await limit("remind_minutes").fill("9999");
    await visitor.button("limit.save").click();
    await shown("limit.wrong").waitFor();
    await shown("limit.wrongMinutes").waitFor();
    expect(await limit("loss_week").evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await limit("remind_minutes").inputValue()).toBe("9999");
  });

  test("stop a top-up, and say where they are", async () => {
    const { page, words } = visitor;
    await page.goto("/Limits");
    await limit("recharge_day").fill("100");
    await visitor.button("limit.save").click();
    await shown("limit.saved").waitFor();
    await page.goto("/Channel?money=101");
    await page.getByRole("button", { name: /sandbox/i }).click();
    await page.getByRole("link", { name: words.text("mine.limits") }).click();
    await page.waitForURL(/\/Limits/);
    expect(await limit("recharge_day").inputValue()).toBe("100");
  });
});

describe("a break", () => {
  test("is described in plain words, begins at once and can only be extended", async () => {
    const { page, words } = visitor;
    await page.goto("/Limits");
    await page.getByRole("button", { name: "7 days", exact: true }).click();
    await page.getByText(words.text("limit.final")).waitFor();
    await visitor.button("limit.startBreak").click();
    await shown("limit.onBreak").waitFor();
    const choice = (days: string) => page.getByRole("button", { name: days, exact: true });
    expect(await choice("3 days").isDisabled()).toBe(true);
    expect(await choice("14 days").isEnabled()).toBe(true);
  });
});

describe("buying membership", () => {
  test("whose answer got lost buys once when it is retried", async ({ server }) => {
    const { page, words } = visitor;
    const file = join(server.folder, "plans.json");
    writeFileSync(file, JSON.stringify([{ id: "month", name: "Month", days: 30, price: 300 }]));
    await operatorOf(server)("plan:set", file);
    let lost = 0;
    await page.route(/buyPlan/, async (route) => {
      const answer = await route.fetch();
      if (lost++ > 0) return route.fulfill({ response: answer });
      return route.abort();
    });
    await page.goto("/Plans");
    await page.getByRole("button", { name: words.like("plan.buy") }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: words.like("plan.buy") }).click();
    await sheet.getByRole("alert").waitFor();
    await sheet.getByRole("button", { name: words.like("plan.buy") }).click();
    await shown("plan.bought").waitFor();
    await page.getByText("700.00").waitFor();
    expect(lost).toBe(2);
    await page.getByText(words.like("plan.until")).waitFor();
    await page.goto("/Mine");
    await page.getByText(words.like("mine.member")).waitFor();
  });
});
