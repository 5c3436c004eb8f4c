import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { doRecharge } from "#shared/contract/payments.ts";
import { walk } from "../support/browser.ts";
import type { TextKey } from "#client/text/i18n.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

/** Each screen of records or figures, and the call that it needs. */
const NEEDED = [
  ["/Mine", /getUserInfo/],
  ["/Infomation", /getUserInfo/],
  ["/Withdraw", /getUserWithdrawRole/],
  ["/Setbank", /getUserBankInfo/],
  ["/WithdrawRecord", /getUserWithdrawList/],
  ["/RechargeRecord", /getUserRechargeList/],
  ["/GameRecord", /getUserGameList/],
  ["/Personalreport", /getPersonalreport/],
  ["/Moneylog", /getMoneylog/],
  ["/Plans", /member\/plans/],
  ["/Sessions", /member\/sessions/],
  ["/Notice", /getNoticeList/],
] as const;

let member: Client;
let visitor: Visitor;
const test = browserTest({ speed: 4 }).extend("bookkeeper", { scope: "file" }, ({ server }) =>
  new Client(server.address).register("bookkeeper"),
);
test.beforeEach(async ({ bookkeeper, come }) => {
  member = bookkeeper;
  visitor = await come({ token: member.token! });
});

describe("records", () => {
  test.each([
    ["/WithdrawRecord", "withdrawRecord.empty", "/Withdraw"],
    ["/RechargeRecord", "rechargeRecord.empty", "/Recharge"],
    ["/GameRecord", "order.empty", "/Game"],
    ["/Moneylog", "moneylog.empty", "/Recharge"],
  ] as const)("that are empty say so and what to do: %s", async (path, key, way) => {
    await visitor.page.goto(path);
    await visitor.page.getByText(visitor.words.text(key)).waitFor();
    expect(await visitor.page.locator(`main a[href="${way}"]`).count()).toBe(1);
  });

  test("of top-ups show each in its state, live, with paid ones in green", async ({ server }) => {
    const { page } = visitor;
    await member.topUp(300);
    const { pay_url } = await member.must(doRecharge, { pay_way: "sandbox", money: "40" });
    await page.goto("/RechargeRecord");
    const card = (amount: string) =>
      page.getByRole("listitem").filter({ has: page.getByText(amount, { exact: true }) });
    const green = (amount: string, status: string) =>
      card(amount)
        .locator("span")
        .and(page.getByText(status, { exact: true }))
        .evaluate((element) => element.classList.contains("text-jade"));
    expect(await green("300", "Paid")).toBe(true);
    expect(await green("40", "Waiting for payment")).toBe(false);
    await fetch(`${pay_url}/fail`, { method: "POST", redirect: "manual" });
    await card("40").getByText("Failed or expired").waitFor();
    await operatorOf(server)("recharge:credit", "bookkeeper", "25", "--reason", "Paid at the desk");
    expect(await green("25", "Credited by the operator")).toBe(true);
    await card("25").getByText("Paid at the desk").waitFor();
  });

  test("are of a period that Back finds again, and each has a receipt with a number", async () => {
    const { page, words } = visitor;
    const period = page.getByLabel(words.text("history.period"), { exact: true });
    const choose = (key: TextKey) => period.selectOption({ label: words.text(key) });
    await member.topUp(12);
    await page.goto("/RechargeRecord");
    await choose("history.dates");
    await page.locator('input[name="to"]').fill("2020-01-31");
    await page.getByText(words.text("report.quiet")).waitFor();
    await visitor.button("history.all").click();
    await choose("history.today");
    await page
      .getByRole("listitem")
      .first()
      .getByRole("link", { name: words.text("receipt.show") })
      .click();
    await page.getByRole("heading", { level: 1, name: words.text("receipt.show") }).waitFor();
    await page.getByText(/^T-\d+$/).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("dep_");
    await page.goBack();
    await page.getByRole("listitem").first().waitFor();
    expect(await period.inputValue()).toBe("1");
    await page.getByRole("link", { name: words.text("mine.moneylog") }).click();
    // The address is the new one before the list is.
    await page
      .getByRole("link", { name: words.text("mine.moneylog") })
      .and(page.locator("[aria-current]"))
      .waitFor();
    await page.getByRole("listitem").first().getByRole("link").click();
    await page.getByText(/^#\d+$/).waitFor();
    expect(await period.count()).toBe(0);
  });

  test("of whatever kind stand under the name of that kind, in view", async () => {
    const { page, words } = visitor;
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/Moneylog");
    const chosen = page.getByRole("link", { name: words.text("mine.moneylog") }).and(page.locator("[aria-current]"));
    await chosen.waitFor();
    const isInView = async () => {
      const { x, width } = (await chosen.boundingBox())!;
      return x >= 0 && x + width <= 360;
    };
    await expect.poll(isInView).toBe(true);
  });

  test("of bets expand to their options, odds and dice, and to the proof of the draw", async () => {
    const { page, words } = visitor;
    const [game] = await member.must(lotteryList);
    const { expect: round } = await member.openRound(game!.key, 2_000);
    await member.must(placeOrder, { item: "A,B,7", money: "10", lid: game!.id, mid: "", expect: round });
    await page.goto("/GameRecord");
    const order = page.getByRole("listitem").filter({ hasText: round }).first();
    await order.locator("summary").click();
    // The line above the options may name what was drawn.
    const options = order.getByRole("group");
    for (const text of ["Big", "Small", "Sum 7"]) await options.getByText(text, { exact: true }).waitFor();
    expect(await order.getByText(words.like("odds.times")).allTextContents()).toEqual([
      "pays ×13.68",
      "pays ×1.95",
      "pays ×1.95",
    ]);
    await order.getByRole("link", { name: words.text("round.check") }).click();
    await page.waitForURL(/\/Fair/);
    await page.getByText(words.text("fair.numbers")).waitFor();
  });
});

describe("a screen whose answer got lost", () => {
  /** Loses what a screen asks for, until the visitor retries. */
  async function lose(page: Page, [path, call]: (typeof NEEDED)[number], open: () => Promise<unknown>): Promise<void> {
    const { words } = visitor;
    await page.route(call, (route) => route.abort());
    await open();
    const away = page.getByText(words.text("state.away"));
    await away.first().waitFor();
    await page.unroute(call);
    await page
      .getByRole("button", { name: words.text("action.retry") })
      .first()
      .click();
    await away.waitFor({ state: "detached" });
    await expect.poll(() => page.locator("main").textContent(), { message: path }).not.toBe("");
  }

  test("says so, and can be retried", async () => {
    const { page } = visitor;
    // Other screens ask for the member and the account too, so only the first one of a load can lack the answer.
    const isOfMany = (call: RegExp) => call.test("getUserInfo") || call.test("getUserBankInfo");
    for (const needed of NEEDED) {
      const open = isOfMany(needed[1]) ? () => page.goto(needed[0]) : () => walk(page, needed[0]);
      await lose(page, needed, open);
    }
  });
});
