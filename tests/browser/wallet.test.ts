import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
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
  test("shows neither a debit nor a credit as a gain, and loads more by itself", async ({ join, come }) => {
    const member = await join("bookkeeper", 1_000);
    const { page } = await come({ token: member.token! });
    const [game] = await member.must(lotteryList);
    for (let bets = 0; bets < 11; bets++) {
      const { expect: round } = await member.openRound(game!.key, 2_000);
      await member.must(placeOrder, { item: "A", money: "1", lid: game!.id, mid: "", expect: round });
    }
    await page.goto("/Moneylog");
    const rows = page.locator("main li");
    await rows.first().waitFor();
    const scrolled = async () => {
      await rows.last().scrollIntoViewIfNeeded();
      return rows.count();
    };
    await expect.poll(scrolled).toBeGreaterThanOrEqual(12);
    const colour = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((amount) => [...amount.classList]);
    expect(await colour("-1")).toContain("text-muted");
    expect(await colour("+1,000")).toContain("text-ink");
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
    await expect.poll(() => limit("stake_day").inputValue()).toBe("500");
    await visitor.button("limit.keep").click();
    await page.getByText(words.like("limit.pendingNone")).waitFor({ state: "detached" });
  });

  test("that are no amounts are refused, and stay on the screen", async () => {
    const { page } = visitor;
    await page.goto("/Limits");
    await limit("loss_week").fill("0");
    await limit("remind_minutes").fill("9999");
    await visitor.button("limit.save").click();
    await shown("limit.wrong").waitFor();
    await shown("limit.wrongMinutes").waitFor();
    await limit("loss_week").and(page.locator(":focus")).waitFor();
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
    await expect.poll(() => limit("recharge_day").inputValue()).toBe("100");
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
    await page.getByText("700", { exact: true }).waitFor();
    expect(lost).toBe(2);
    await page.getByText(words.like("plan.until")).waitFor();
    await page.goto("/Mine");
    await page.getByText(words.like("mine.member")).waitFor();
  });
});
