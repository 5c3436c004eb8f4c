import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import type { Client } from "../support/client.ts";
import { operatorOf, newestOf, PIN, prepare, rulesFor } from "../support/withdrawal-steps.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import type { Visitor } from "../support/visitor.ts";

let member: Client;
let visitor: Visitor;
let members = 0;
const test = browserTest();
test.beforeEach(async ({ join, come }) => {
  member = await join(`saver_${++members}`);
  await prepare(member, 500);
  visitor = await come({ token: member.token! });
  await visitor.page.goto("/Withdraw");
});

const amount = () => visitor.field("withdraw.amount");
const sheet = () => visitor.page.getByRole("dialog");
const { refusal } = messagesOf("en_us");
const says = (text: string | RegExp) => visitor.page.getByText(text).first().waitFor();

async function send(units: string): Promise<void> {
  await amount().fill(units);
  await visitor.button("withdraw.send").click();
}

async function give(pin: string): Promise<void> {
  await visitor.field("withdraw.passcode").fill(pin);
}

describe("an amount", () => {
  test("that is invalid, too little or too much says so at its field, which has the focus", async () => {
    const { page, words } = visitor;
    const wrong = page.locator('input[name="money"][aria-invalid="true"]:focus');
    const { min, max, arrival } = await rulesFor(member);
    expect([min, max]).toEqual(["100.00", "2000000000.00"]);
    // Points reach no bank: nothing says when they would arrive.
    await says(words.text("withdraw.rehearsal"));
    expect(await page.getByText(arrival).count()).toBe(0);
    await says(words.text("withdraw.free"));
    await visitor.button("withdraw.send").click();
    await says(words.text("withdraw.wrong"));
    await send("99");
    await page
      .locator("[id]", { hasText: /^From 100 points to 2,000,000,000 points$/ })
      .first()
      .waitFor();
    await send("501");
    await says(words.text("withdraw.short"));
    await wrong.waitFor();
    await amount().fill("1a0b0");
    expect(await amount().inputValue()).toBe("100");
  });

  test("that the server refuses is reported at its field, with the focus, and stays", async ({ server }) => {
    const { page } = visitor;
    await amount().fill("200");
    await operatorOf(server)("setting:set", "min_withdraw", "300");
    try {
      await send("200");
      await give(PIN);
      await says(/A withdrawal is from 300(?!\d)/);
      await sheet().waitFor({ state: "detached" });
      await page.locator('input[name="money"][aria-invalid="true"]:focus').waitFor();
      expect(await amount().inputValue()).toBe("200");
    } finally {
      await operatorOf(server)("setting:set", "min_withdraw", "100");
    }
  });

  test("beyond the day's count is refused before the passcode is asked for", async ({ server }) => {
    await operatorOf(server)("setting:set", "daily_withdraw_count", "1");
    try {
      await visitor.page.reload();
      await send("100");
      await give(PIN);
      await visitor.page.waitForURL(/\/WithdrawRecord/);
      await visitor.page.goto("/Withdraw");
      await send("100");
      await says(visitor.words.like("withdraw.usedUp", { most: "1" }));
      expect(await sheet().count()).toBe(0);
    } finally {
      await operatorOf(server)("setting:set", "daily_withdraw_count", "50");
    }
  });
});

describe("the passcode of a withdrawal", () => {
  test("is typed again when it was wrong, and locked after five, with the time left; the amount stays", async () => {
    const { page, words } = visitor;
    await send("100");
    await visitor.field("withdraw.passcode").press("Enter");
    await says(words.text("withdraw.sixDigits"));
    for (let wrong = 0; wrong < 5; wrong++) {
      await give("000000");
      await says(refusal.passcode!.wrong!);
      await expect.poll(() => visitor.field("withdraw.passcode").inputValue()).toBe("");
      await visitor.field("withdraw.passcode").and(page.locator(":focus")).waitFor();
    }
    await give(PIN);
    await says(/Too many wrong payment passcodes\. Please try again in 15 min/);
    await page.reload();
    expect(await amount().inputValue()).toBe("100");
    expect((await rulesFor(member)).used_today).toBe(0);
  });
});

describe("while withdrawals are closed", () => {
  test("the open screen says why and whom to contact, and those in review go on", async ({ server }) => {
    const { page, words } = visitor;
    const operator = operatorOf(server);
    await send("100");
    await give(PIN);
    await page.waitForURL(/\/WithdrawRecord/);
    await page.goto("/Withdraw");
    await amount().waitFor();
    try {
      await operator("setting:set", "close_withdraw", "1");
      await says(words.text("withdraw.support"));
      await Promise.all([
        operator("setting:set", "close_withdraw_reason", "Moving banks"),
        operator("setting:set", "close_number", "+84 900"),
      ]);
      await says("Moving banks");
      await says(words.like("withdraw.contact", { contact: "+84 900" }));
      expect(await amount().count()).toBe(0);
      await operator("withdraw:approve", await newestOf(member));
      await page.getByRole("link", { name: words.text("withdraw.records") }).click();
      await says("Approved");
      await page.goBack();
    } finally {
      await operator("setting:set", "close_withdraw", "0");
    }
    await amount().waitFor();
  });
});

test("a balance below the smallest withdrawal says so before any work, and where one comes from", async ({ enter }) => {
  const { page, words } = await enter("no_saver", 99);
  await page.goto("/Withdraw");
  await page.getByText(words.like("withdraw.tooLittle")).waitFor();
  expect(await page.locator("main form").count()).toBe(0);
  const ways = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(ways).toEqual(["/Recharge", "/Game"]);
});

test("a balance below the smallest stake says so among the games, with the way to a top-up", async ({ enter }) => {
  const { page, words } = await enter("no_player");
  await page.goto("/Game");
  await page.getByText(words.text("cart.broke")).waitFor();
  await page.locator('main a[href="/Recharge"]').click();
  await page.waitForURL("**/Recharge");
});
