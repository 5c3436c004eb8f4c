import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { TextKey } from "#client/text/i18n.ts";
import { messageList } from "#shared/contract/member.ts";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf, newestOf, NUMBER, PIN } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

const test = browserTest();

interface Window {
  stays?: true;
  taps?: number;
}

/** From the amount to the passcode on the pad, whose last digit sends it, and on to the records. */
async function withdraw({ page, field, button }: Visitor, amount: string): Promise<void> {
  await field("withdraw.amount").fill(amount);
  await button("withdraw.send").click();
  await press(page, PIN);
  await page.waitForURL(/\/WithdrawRecord/);
}

async function press(page: Page, digits: string): Promise<void> {
  const sheet = page.getByRole("dialog");
  for (const digit of digits) await sheet.getByRole("button", { name: digit, exact: true }).click();
}

/** A native list takes two taps: one opens it, one chooses. */
const TAPS_OF_LIST = 2;

/**
 * The first withdrawal, on one screen. Taps in the page count, those on the passcode's pad too; keys of the phone's own
 * keyboard do not. Returns how many taps it took from "Me".
 */
async function withdrawFirst({ page, words, field, button }: Visitor, amount: string): Promise<number> {
  await page.evaluate(() => {
    (window as Window).taps = 0;
    addEventListener("pointerdown", () => ((window as Window).taps! += 1), { capture: true });
  });
  const type = async (key: TextKey, typed: string) => {
    await field(key).click();
    await page.keyboard.type(typed);
  };
  await page.getByRole("link", { name: words.text("mine.withdraw"), exact: true }).click();
  await type("withdraw.amount", amount);
  await page.getByLabel(words.text("bank.bank")).selectOption({ label: "ACB" });
  await type("bank.number", NUMBER);
  await type("bank.holder", "Saver One");
  await button("withdraw.send").click();
  // The account and the name are final, so they are shown once more.
  await page.getByRole("dialog").getByText("Saver One", { exact: true }).waitFor();
  await press(page, PIN);
  expect(await field("passcode.first").inputValue()).toBe(PIN);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: words.text("withdraw.send") })
    .click();
  await page.waitForURL(/\/WithdrawRecord/);
  return (await page.evaluate(() => (window as Window).taps!)) + TAPS_OF_LIST;
}

describe("the story of a withdrawal", () => {
  test("from a new member to a paid one, and another that was refused, each step on the open screen", async ({
    server,
    join,
    come,
  }) => {
    const member = await join("saver_one", 1_000);
    const visitor = await come({ token: member.token! });
    const { page, words, button } = visitor;
    const operator = operatorOf(server);
    const balance = () => page.locator("main .figures").first();
    const card = (amount: string) =>
      page.getByRole("listitem").filter({ has: page.getByText(amount, { exact: true }) });
    await page.goto("/Mine");
    await page.evaluate(() => ((window as Window).stays = true));
    expect(await withdrawFirst(visitor, "400")).toBeLessThanOrEqual(14);
    await card("400").getByText("In review").waitFor();
    // A withdrawal in review cannot be cancelled.
    expect(await page.locator("main").getByRole("button").count()).toBe(0);
    const paid = await newestOf(member);
    await operator("withdraw:approve", paid);
    await card("400").getByText("Approved").waitFor();
    await operator("withdraw:pay", paid);
    await card("400").getByText("Paid", { exact: true }).waitFor();

    await button("action.back").click();
    await expect.poll(() => balance().textContent()).toBe("600");
    await page.getByRole("link", { name: words.text("mine.withdraw"), exact: true }).click();
    await button("withdraw.whole").click();
    expect(await visitor.field("withdraw.amount").inputValue()).toBe("600");
    await withdraw(visitor, "500");
    await card("500").getByText("In review").waitFor();
    await operator("withdraw:reject", await newestOf(member), "--reason", "The bank is closed");
    await card("500").getByText("The bank is closed").waitFor();
    await button("action.back").click();
    await expect.poll(() => balance().textContent()).toBe("600");

    const texts = (await member.must(messageList)).map(({ text }) => text);
    const [refused, asked, wasPaid, approved, askedFirst] = texts.filter((text) => /withdrawal (of|was) /.test(text));
    expect([asked, askedFirst]).toEqual([expect.stringContaining("500"), expect.stringContaining("400")]);
    expect(approved).toMatch(/400 points was approved/);
    expect(wasPaid).toMatch(/400 points was paid/);
    expect(refused).toMatch(/refused and 500 points returned.*The bank is closed/);
    expect(await page.evaluate(() => (window as Window).stays)).toBe(true);
  });
});
