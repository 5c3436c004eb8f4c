import { describe, expect } from "vitest";
import { setLimits } from "#shared/contract/wallet.ts";
import { browserTest } from "../support/browser-test.ts";
import { offerPrizes } from "../support/prizes.ts";
import type { Client } from "../support/client.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import { DAY_MS, toSeconds } from "#shared/time.ts";
import type { Visitor } from "../support/visitor.ts";

let member: Client;
let visitor: Visitor;
let members = 0;
const test = browserTest({ furnish: offerPrizes });
test.beforeEach(async ({ join, come }) => {
  member = await join(`careful_${++members}`, 500);
  visitor = await come({ token: member.token! });
  await visitor.openTable();
});

const { refusal } = messagesOf("en_us");

describe("from the betting screen", () => {
  test("a break is two taps away, and once it has begun no bet is accepted", async () => {
    const { page, words, button } = visitor;
    await page
      .locator("main")
      .getByRole("link", { name: words.text("mine.limits") })
      .click();
    const days = page.getByRole("button", { name: "1 day", exact: true });
    // In sight without scrolling.
    await days.waitFor();
    await expect.poll(() => days.evaluate((it) => it.getBoundingClientRect().bottom)).toBeLessThan(844);
    await days.click();
    await page.getByText(words.text("limit.final")).waitFor();
    await button("limit.startBreak").click();
    await page.getByText(words.like("limit.onBreak")).waitFor();
    await button("action.back").click();
    // The board says so before any work is done.
    await page.getByText(words.like("limit.onBreak")).waitFor();
    await page.locator('[data-option="A"]:disabled').waitFor();
    await expect.poll(() => visitor.balance()).toBe(50_000);
    // A withdrawal is open.
    await page.goto("/Withdraw");
    await button("withdraw.send").waitFor();
  });

  test("a break is said in an open cart too, which lies over the board", async () => {
    const { page, words } = visitor;
    await visitor.choose(["A"], 10);
    await member.must(setLimits, { exclude_until: String(toSeconds(Date.now() + 2 * DAY_MS)) });
    await page.reload();
    const cart = page.getByRole("region", { name: words.text("cart.title") });
    await cart.getByText(words.like("limit.onBreak")).waitFor();
    expect(await cart.getByRole("button", { name: words.text("cart.place") }).isDisabled()).toBe(true);
  });

  test("a break is said before any work at the wheel and at a top-up, with the way to it", async () => {
    const { page, words } = visitor;
    await member.must(setLimits, { exclude_until: String(toSeconds(Date.now() + 2 * DAY_MS)) });
    const onBreak = page.getByRole("main").getByText(words.like("limit.onBreak"));
    const toBreak = page
      .getByRole("main")
      .getByRole("link", { name: words.text("mine.limits"), exact: true })
      .first();
    await page.goto("/luckDraw");
    await onBreak.waitFor();
    const go = page.getByRole("button", { name: words.text("wheel.go") });
    expect(await go.getAttribute("aria-disabled")).toBe("true");
    expect(await go.locator("svg").count()).toBe(1);
    await go.click({ force: true });
    for (const path of ["/Recharge", "/Channel?money=100"]) {
      await page.goto(path);
      await onBreak.waitFor();
      expect(await page.locator("main form, main input").count()).toBe(0);
      expect(await page.getByRole("button", { name: /sandbox/i }).count()).toBe(0);
    }
    await toBreak.click();
    await page.waitForURL(/\/Limits/);
  });

  test("what a limit leaves stands on the table, follows each bet, and is said before one that is beyond it", async () => {
    const { page, words } = visitor;
    const left = (amount: string) => page.getByText(words.like("limit.left", { amount }));
    await member.must(setLimits, { stake_day: "50", loss_week: "400" });
    await page.reload();
    await left("50").waitFor();
    // The limit may be heard of before the answer: until then the cart takes no other option.
    await visitor.bet(["A"], 30);
    await left("20").waitFor();
    await visitor.choose(["A"], 21);
    await page.getByText(words.like("cart.beyond", { amount: "20" })).waitFor();
    await page.goto("/Limits");
    await left("20").waitFor();
    const bar = page.getByRole("meter", { name: words.text("limit.day") }).first();
    expect(await bar.getAttribute("aria-valuenow")).toBe("60");
  });

  test("a stricter limit applies at once, and the cart stays; a looser one is shown as pending", async () => {
    const { page, words, button } = visitor;
    await visitor.choose(["A", "B"], 30);
    await member.must(setLimits, { stake_day: "50" });
    await visitor.waitForSeconds(5);
    await button("cart.place").click();
    await page.getByText(refusal.limit!.reached!).first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe("30");
    await expect.poll(() => visitor.balance()).toBe(50_000);
    await member.must(setLimits, { stake_day: "90" });
    // It stands once at the table, and in view.
    await page.getByRole("link", { name: words.text("mine.limits") }).click();
    await page.getByText(words.like("limit.pending", { value: "90" })).waitFor();
    expect(await page.locator('input[name="stake_day"]').inputValue()).toBe("50");
  });
});
