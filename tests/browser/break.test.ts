import { describe, expect } from "vitest";
import { setLimits } from "#shared/contract/wallet.ts";
import { browserTest } from "../support/browser-test.ts";
import type { Client } from "../support/client.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import type { Visitor } from "../support/visitor.ts";

let member: Client;
let visitor: Visitor;
let members = 0;
const test = browserTest();
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
    const box = (await days.boundingBox())!;
    expect(box.y + box.height).toBeLessThan(844);
    await days.click();
    await page.getByText(words.text("limit.final")).waitFor();
    await button("limit.startBreak").click();
    await page.getByText(words.like("limit.onBreak")).waitFor();
    await button("action.back").click();
    // The board says so before any work is done.
    await page.getByText(words.like("limit.onBreak")).waitFor();
    await page.locator('[data-option="A"]:disabled').waitFor();
    expect(await visitor.balance()).toBe(50_000);
    // Topping up is refused alike; a withdrawal is open.
    await page.goto("/Channel?money=100");
    await page.getByRole("button", { name: /sandbox/i }).click();
    await page.getByText(refusal.member!.excluded!).waitFor();
    await page.goto("/Withdraw");
    await page.getByRole("link", { name: words.text("withdraw.stepName") }).waitFor();
  });

  test("a stricter limit applies at once, and the cart stays; a looser one is shown as pending", async () => {
    const { page, words, button } = visitor;
    await visitor.choose(["A", "B"], 30);
    await member.must(setLimits, { stake_day: "50" });
    await visitor.waitForSeconds(2);
    await button("cart.place").click();
    await page.getByText(refusal.limit!.reached!).first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe("30");
    await expect.poll(() => visitor.balance()).toBe(50_000);
    await member.must(setLimits, { stake_day: "90" });
    await page
      .locator("form")
      .getByRole("link", { name: words.text("cart.limits") })
      .click();
    await page.getByText(words.like("limit.pending", { value: "90" })).waitFor();
    expect(await page.locator('input[name="stake_day"]').inputValue()).toBe("50");
  });
});
