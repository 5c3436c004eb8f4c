import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setLimits } from "#shared/contract/wallet.ts";
import { launchBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { ServerProcess } from "../support/server-process.ts";
import { messagesOf } from "../server/http/endpoints.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
let member: Client;
let visitor: Visitor;
let members = 0;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  member = await new Client(server.address).register(`careful_${++members}`);
  await member.topUp(500);
  visitor = await Visitor.come(browser, server.address, { token: member.token! });
  await visitor.openTable();
});
afterEach(() => visitor.close());

const { refusal } = messagesOf("en_us");

describe("from the betting screen", () => {
  it("a break is two taps away, and once it has begun no bet is accepted", async () => {
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
    await visitor.waitForSeconds(3);
    await visitor.choose(["A"], 10);
    await button("cart.place").click();
    await page.getByText(refusal.member!.excluded!).first().waitFor();
    expect(await visitor.balance()).toBe(50_000);
    // Topping up is refused alike; a withdrawal is open.
    await page.goto("/Channel?money=100");
    await page.getByRole("button", { name: /sandbox/i }).click();
    await page.getByText(refusal.member!.excluded!).waitFor();
    await page.goto("/Withdraw");
    await page.getByRole("link", { name: words.text("withdraw.stepName") }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it("a stricter limit applies at once, and the cart stays; a looser one is shown as pending", async () => {
    const { page, words, button } = visitor;
    await visitor.choose(["A", "B"], 30);
    await member.must(setLimits, { stake_day: "50" });
    await visitor.waitForSeconds(2);
    await button("cart.place").click();
    await page.getByText(refusal.limit!.reached!).first().waitFor();
    expect(await visitor.field("cart.stake").inputValue()).toBe("30");
    expect(await visitor.balance()).toBe(50_000);
    await member.must(setLimits, { stake_day: "90" });
    await page
      .locator("form")
      .getByRole("link", { name: words.text("cart.limits") })
      .click();
    await page.getByText(words.like("limit.pending", { value: "90" })).waitFor();
    expect(await page.locator('input[name="stake_day"]').inputValue()).toBe("50");
  });
});
