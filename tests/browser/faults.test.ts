import { describe, expect } from "vitest";
import { lotteryList } from "#shared/contract/lottery.ts";
import { browserTestApart } from "../support/browser-test.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { withConnection } from "../support/own-connection.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { Visitor } from "../support/visitor.ts";

const TOP_UP = 1_000;
/** How long a screen may take to be right again once the connection is back, on a slow machine. */
const SOON_MS = 20_000;
const AS_OF = /^As of .+, offline$/;

const test = browserTestApart();

/** It says that the connection is lost; and since when, if something on the screen was still on its way. */
const banner = ({ page, words }: Visitor) => page.getByText(words.text("state.lineAway")).or(page.getByText(AS_OF));

describe("a fault", () => {
  test("a server killed in mid-round and restarted: the screen is right again by itself", async ({ server, enter }) => {
    const visitor = await enter("in_mid_round", TOP_UP);
    await visitor.openTable();
    await visitor.bet(["A", "B", "C", "D"], 50);
    await server.kill();
    await banner(visitor).waitFor();
    await server.start();
    await banner(visitor).waitFor({ state: "detached", timeout: SOON_MS });
    await expect.poll(() => visitor.balance(), { timeout: 2 * SOON_MS }).toBe((TOP_UP - 200 + 195) * 100);
    await visitor.waitForSeconds(5);
    await visitor.bet(["A"], 10);
  });

  test("a connection cut over the end of a round: a banner says so and goes, and the round on screen is the current one", async ({
    server,
    join,
    come,
  }) => {
    await using cable = await CuttableProxy.lay(server.address);
    const member = await join("cut_off", TOP_UP);
    const visitor = await come({ address: cable.address, token: member.token! });
    await visitor.openTable();
    cable.cut();
    // Read when nothing comes any more: a round may end at any moment.
    const before = await visitor.roundShown();
    const [game] = await member.must(lotteryList);
    await expect
      .poll(async () => (await member.openRound(game!.key)).expect, { timeout: 2 * SOON_MS, interval: 200 })
      .not.toBe(before);
    await banner(visitor).waitFor();
    expect(await visitor.roundShown()).toBe(before);
    cable.mend();
    await banner(visitor).waitFor({ state: "detached", timeout: SOON_MS });
    await expect.poll(() => visitor.roundShown(), { timeout: SOON_MS }).not.toBe(before);
    await visitor.waitForSeconds(5);
    await visitor.bet(["C"], 10);
    await expect.poll(() => visitor.balance(), { timeout: SOON_MS }).toBeGreaterThan(0);
  });

  test("a forced logout by the operator's command: the reason is shown, then login", async ({ server, enter }) => {
    const visitor = await enter("sent_out");
    await visitor.openTable(0);
    // It may be gone by the time that the command's program has ended.
    const said = visitor.page.getByText("Please log in again").waitFor();
    await Promise.all([said, operatorOf(server)("member:kick", "sent_out", "--reason", "Please log in again")]);
    await visitor.page.waitForURL(/\/Login/);
    expect(await visitor.page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });

  test("a mistake of ours: its reference is on the screen, and finds the server's line", async ({ enter, server }) => {
    const visitor = await enter("unlucky");
    await withConnection(server.database, (other) => other.run("alter table messages rename to hidden"));
    await visitor.page.goto("/Messages");
    const reference = visitor.page.getByRole("alert").locator("small");
    await reference.waitFor();
    const id = /^Reference ([0-9a-f]{20})$/.exec(await reference.innerText())![1]!;
    await expect.poll(() => server.logged.filter((line) => line.includes(`"requestId":"${id}"`)).length).toBe(1);
    await withConnection(server.database, (other) => other.run("alter table hidden rename to messages"));
    await visitor.button("action.retry").click();
    await reference.waitFor({ state: "detached" });
  });

  test("a bet beyond the balance: said at its field, and a top-up comes back to the cart", async ({ enter }) => {
    const visitor = await enter("too_bold", TOP_UP);
    await visitor.openTable();
    await visitor.choose(["A", "7"], TOP_UP);
    await visitor.page.getByText(visitor.words.text("cart.insufficient")).waitFor();
    await visitor.page.getByText(visitor.words.like("figure.missing", { amount: "1,000 points" })).waitFor();
    expect(await visitor.button("cart.place").isDisabled()).toBe(true);
    await visitor.page
      .locator("form")
      .getByRole("link", { name: visitor.words.text("mine.recharge") })
      .click();
    await visitor.payFor(TOP_UP);
    await visitor.page.waitForURL(/Lottery/);
    expect(await visitor.field("cart.stake").inputValue()).toBe(String(TOP_UP));
    await expect.poll(() => visitor.page.locator('[data-option][aria-pressed="true"]').count()).toBe(2);
    await expect.poll(() => visitor.balance()).toBe(2 * TOP_UP * 100);
  });

  test("a refusal by the server: its own text, and the cart stays", async ({ enter }) => {
    const visitor = await enter("too_late", TOP_UP);
    await visitor.openTable();
    await visitor.page.route("**/api/game/placeOrder", async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? "");
      form.set("expect", "20260302-0001");
      await route.continue({ postData: form.toString() });
    });
    await visitor.choose(["A"], 10);
    await visitor.button("cart.place").click();
    await visitor.page.getByText("Betting on this round is closed").first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe("10");
    await expect.poll(() => visitor.balance()).toBe(TOP_UP * 100);
  });

  test("an answer that takes its time: the board, which takes no tap meanwhile, is pale", async ({ enter }) => {
    const visitor = await enter("long_way", TOP_UP);
    const { page } = visitor;
    await visitor.openTable();
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/game/placeOrder", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await visitor.choose(["A"], 10);
    await visitor.waitForSeconds(5);
    await visitor.button("cart.place").click();
    const board = page.locator("fieldset:has([data-option])");
    // Together: between rounds it is as pale, and not busy.
    const look = () =>
      board.evaluate((one) => [getComputedStyle(one).filter, one.querySelector('[aria-busy="true"]') !== null]);
    await expect.poll(look).toEqual(["saturate(0.5)", true]);
    answer.resolve();
    await expect.poll(look).toEqual(["none", false]);
  });

  test("a stake that the server does not take: said at its field until it is another one", async ({ enter }) => {
    const visitor = await enter("odd_stake", TOP_UP);
    const { page } = visitor;
    await visitor.openTable();
    await page.route("**/api/game/placeOrder", async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? "");
      form.set("money", "0");
      await route.continue({ postData: form.toString() });
    });
    await visitor.choose(["A"], 10);
    await visitor.waitForSeconds(5);
    await visitor.button("cart.place").click();
    const why = page.locator("form").getByText("Please enter a whole number from 1 to 2,000,000,000");
    await why.waitFor();
    expect(await visitor.field("cart.stake").getAttribute("aria-invalid")).toBe("true");
    // Nowhere else.
    expect(await page.locator('h2[data-type="bad"]').count()).toBe(0);
    await visitor.field("cart.stake").fill("20");
    await why.waitFor({ state: "detached" });
  });

  test("a stake for each option: two orders; the refused one is named and stays in the cart", async ({ enter }) => {
    const visitor = await enter("each_apart", TOP_UP);
    const { page, words } = visitor;
    await visitor.openTable();
    await page.route("**/api/game/placeOrder", async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? "");
      if (form.get("money") === "30") form.set("expect", "20260302-0001");
      await route.continue({ postData: form.toString() });
    });
    await visitor.choose(["A", "7"], 10);
    await visitor.button("cart.each").click();
    await page.locator('[name="stake-7"]').fill("30");
    await visitor.waitForSeconds(5);
    await visitor.button("cart.place").click();
    await page.getByText(words.like("cart.partly")).waitFor();
    await expect.poll(() => visitor.balance()).toBe((TOP_UP - 10) * 100);
    expect(await page.locator('[name="stake-7"]').inputValue()).toBe("30");
    expect(await page.locator('[name="stake-A"]').count()).toBe(0);
    await page.unroute("**/api/game/placeOrder");
    await visitor.waitForSeconds(5);
    await visitor.button("cart.place").click();
    await page
      .locator('h2[data-type="good"]')
      .filter({ hasText: words.like("cart.placed") })
      .waitFor();
    await page.goto("/GameRecord");
    await expect.poll(() => page.getByRole("list").first().locator("summary").count()).toBe(2);
  });

  test("a slow answer, tapped twice: one bet; and a lost answer is retried, and counts once", async ({ enter }) => {
    const visitor = await enter("taps_twice", TOP_UP);
    await visitor.openTable();
    const keys: (string | undefined)[] = [];
    const isTapped = Promise.withResolvers<void>();
    await visitor.page.route("**/api/game/placeOrder", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const answer = await route.fetch();
      await isTapped.promise;
      if (keys.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await visitor.choose(["A"], 10);
    const place = visitor.page.getByRole("button", {
      name: new RegExp(`${visitor.words.text("cart.place")}|${visitor.words.text("cart.placing")}`),
    });
    await visitor.waitForSeconds(5);
    await place.click();
    await place.click({ force: true });
    isTapped.resolve();
    await visitor.page.getByText(visitor.words.like("cart.placed")).waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[0]).toBeTruthy();
    await visitor.page.goto("/GameRecord");
    await visitor.page.locator("main li").first().waitFor();
    expect(await visitor.page.locator("main ul").first().locator("> li").count()).toBe(1);
  });
});
