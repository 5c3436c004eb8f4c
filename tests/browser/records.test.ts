import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { doRecharge } from "#shared/contract/payments.ts";
import { launchBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

/** Each screen of records or figures, and the call that it needs. */
const NEEDED = [
  ["/Mine", /getUserInfo/],
  ["/Infomation", /getUserInfo/],
  ["/Setbank", /getUserBankInfo/],
  ["/Withdraw", /getUserWithdrawRole/],
  ["/WithdrawRecord", /getUserWithdrawList/],
  ["/RechargeRecord", /getUserRechargeList/],
  ["/GameRecord", /getUserGameList/],
  ["/Personalreport", /getPersonalreport/],
  ["/Moneylog", /getMoneylog/],
  ["/Plans", /member\/plans/],
  ["/Sessions", /member\/sessions/],
  ["/Notice", /getNoticeList/],
] as const;

let browser: Browser;
let server: ServerProcess;
let member: Client;
let visitor: Visitor;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start({ speed: 4 })]);
  member = await new Client(server.address).register("bookkeeper");
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  visitor = await Visitor.come(browser, server.address, { token: member.token! });
});
afterEach(() => visitor.close());

describe("records", () => {
  it.each([
    ["/WithdrawRecord", "withdrawRecord.empty", "/Withdraw"],
    ["/RechargeRecord", "rechargeRecord.empty", "/Recharge"],
    ["/GameRecord", "order.empty", "/Game"],
    ["/Moneylog", "moneylog.empty", "/Recharge"],
  ] as const)("that are empty say so and what to do: %s", async (path, key, way) => {
    await visitor.page.goto(path);
    await visitor.page.getByText(visitor.words.text(key)).waitFor();
    expect(await visitor.page.locator(`main a[href="${way}"]`).count()).toBe(1);
  });

  it("of top-ups show each in its state, live, with paid ones in green", async () => {
    const { page } = visitor;
    await member.topUp(300);
    const { pay_url } = await member.must(doRecharge, { pay_way: "sandbox", money: "40" });
    await page.goto("/RechargeRecord");
    const card = (amount: string) => page.getByRole("listitem").filter({ hasText: amount });
    const green = (amount: string, status: string) =>
      card(amount)
        .locator("span")
        .and(page.getByText(status, { exact: true }))
        .evaluate((element) => element.classList.contains("text-jade"));
    expect(await green("300.00", "Paid")).toBe(true);
    expect(await green("40.00", "Waiting for payment")).toBe(false);
    await fetch(`${pay_url}/fail`, { method: "POST", redirect: "manual" });
    await card("40.00").getByText("Failed or expired").waitFor();
    await operatorOf(server)("recharge:credit", "bookkeeper", "25", "--reason", "Paid at the desk");
    expect(await green("25.00", "Credited by the operator")).toBe(true);
    await card("25.00").getByText("Paid at the desk").waitFor();
  });

  it("of bets expand to their options, odds and dice, and to the proof of the draw", async () => {
    const { page, words } = visitor;
    const [game] = await member.must(lotteryList);
    const { expect: round } = await member.openRound(game!.key, 2_000);
    await member.must(placeOrder, { item: "A,B,7", money: "10", lid: game!.id, mid: "", expect: round });
    await page.goto("/GameRecord");
    const order = page.getByRole("listitem").filter({ hasText: round }).first();
    await order.locator("summary").click();
    for (const told of ["Big", "Small", "Sum 7"]) await order.getByText(told, { exact: true }).waitFor();
    expect(await order.getByText(words.like("odds.times")).allTextContents()).toEqual([
      "pays ×13.68",
      "pays ×1.95",
      "pays ×1.95",
    ]);
    await order.getByRole("link", { name: words.text("round.check") }).click({ timeout: 20_000 });
    await page.waitForURL(/\/Fair/);
    await page.getByText(words.text("fair.good")).waitFor();
    expect(visitor.faults).toEqual([]);
  });
});

describe("a screen whose answer got lost", () => {
  it("says so, and can be retried", async () => {
    const { words } = visitor;
    const lose = async ([path, call]: (typeof NEEDED)[number]) => {
      const page = await visitor.device.newPage();
      await page.route(call, (route) => route.abort());
      await page.goto(path);
      const away = page.getByText(words.text("state.away"));
      await away.first().waitFor();
      await page.unroute(call);
      await page
        .getByRole("button", { name: words.text("action.retry") })
        .first()
        .click();
      await away.waitFor({ state: "detached" });
      await expect.poll(() => page.locator("main").textContent(), { message: path, timeout: 20_000 }).not.toBe("");
      await page.close();
    };
    await Promise.all(NEEDED.map(lose));
  });
});
