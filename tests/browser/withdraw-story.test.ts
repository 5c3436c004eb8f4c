import { describe, expect } from "vitest";
import type { TextKey } from "#client/text/i18n.ts";
import { messageList } from "#shared/contract/member.ts";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf, newestOf, NUMBER, PIN } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

const test = browserTest();

interface Window {
  stays?: true;
}

/** From the amount to the passcode on the pad, and on to the records. */
async function withdraw({ page, field, button, words }: Visitor, amount: string): Promise<void> {
  await field("withdraw.amount").fill(amount);
  await button("withdraw.send").click();
  const sheet = page.getByRole("dialog");
  for (const digit of PIN) await sheet.getByRole("button", { name: digit, exact: true }).click();
  await sheet.getByRole("button", { name: words.text("action.confirm") }).click();
  await page.waitForURL(/\/WithdrawRecord/);
}

/** What the screen requires first, one after the other; each step leads back to it. */
async function prepare({ page, words, field, button }: Visitor): Promise<void> {
  const step = (key: TextKey) => page.getByRole("link", { name: words.text(key) }).click();
  await step("withdraw.stepName");
  await field("info.name").fill("Saver One");
  await button("realName.save").click();
  await step("bank.setPasscode");
  for (const [key, then] of [
    ["passcode.first", "passcode.next"],
    ["passcode.repeat", "passcode.save"],
  ] as const) {
    await field(key).fill(PIN);
    await button(then).click();
  }
  await step("bank.add");
  // The address changes before the screen, and the previous screen has a link of the same name.
  await page.getByRole("heading", { level: 1, name: words.text("bank.title"), exact: true }).waitFor();
  await step("bank.add");
  await page.waitForURL(/\/BindCard/);
  await page.getByLabel(words.text("bank.bank")).selectOption({ label: "ACB" });
  await field("bank.number").fill(NUMBER);
  expect(await field("bank.holder").inputValue()).toBe("Saver One");
  await button("bank.save").click();
  await page.getByText("**** 8750").waitFor();
  await button("action.back").click();
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
    const card = (amount: string) => page.getByRole("listitem").filter({ hasText: amount });
    await page.goto("/Mine");
    await page.evaluate(() => ((window as Window).stays = true));
    await page.getByRole("link", { name: words.text("mine.withdraw"), exact: true }).click();
    await prepare(visitor);

    await button("withdraw.whole").click();
    expect(await visitor.field("withdraw.amount").inputValue()).toBe("1000");
    await withdraw(visitor, "400");
    await card("400.00").getByText("In review").waitFor();
    // A withdrawal in review cannot be cancelled.
    expect(await page.locator("main").getByRole("button").count()).toBe(0);
    const paid = await newestOf(member);
    await operator("withdraw:approve", paid);
    await card("400.00").getByText("Approved").waitFor();
    await operator("withdraw:pay", paid);
    await card("400.00").getByText("Paid", { exact: true }).waitFor();

    await button("action.back").click();
    await expect.poll(() => balance().textContent()).toBe("600.00");
    await page.getByRole("link", { name: words.text("mine.withdraw"), exact: true }).click();
    await withdraw(visitor, "500");
    await card("500.00").getByText("In review").waitFor();
    await operator("withdraw:reject", await newestOf(member), "--reason", "The bank is closed");
    await card("500.00").getByText("The bank is closed").waitFor();
    await button("action.back").click();
    await expect.poll(() => balance().textContent()).toBe("600.00");

    const texts = (await member.must(messageList)).map(({ text }) => text);
    const [refused, asked, wasPaid, approved, askedFirst] = texts.filter((text) => text.includes("withdrawal of"));
    expect([asked, askedFirst]).toEqual([expect.stringContaining("500.00"), expect.stringContaining("400.00")]);
    expect(approved).toMatch(/400\.00 was approved/);
    expect(wasPaid).toMatch(/400\.00 was paid/);
    expect(refused).toMatch(/500\.00 was refused.*The bank is closed/);
    expect(await page.evaluate(() => (window as Window).stays)).toBe(true);
  });
});
