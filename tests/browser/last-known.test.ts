import type { BrowserContext, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { placeOrder } from "#shared/contract/lottery.ts";
import { saveListing } from "#shared/contract/listing.ts";
import { makeCodes } from "#shared/contract/security.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue, nameOf } from "../support/catalogue.ts";
import type { Client } from "../support/client.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { wordsIn } from "../support/words.ts";

const test = browserTest({
  games: [TEN_SECONDS],
  furnish: (server) => fillCatalogue(server, { seoul: 1, hanoi: 1 }),
}).extend("phone", async ({ browser, server }, { onCleanup }) => {
  const devices: BrowserContext[] = [];
  onCleanup(async () => void (await Promise.all(devices.map((device) => device.close()))));
  /** A phone with the app's worker, on which a member is logged in. */
  return async ({ token }: Client): Promise<Page> => {
    const device = await browser.newContext({ baseURL: server.address, locale: "en-US" });
    devices.push(device);
    const page = await device.newPage();
    await page.goto("/check.html");
    await logIn(page, token!);
    return page;
  };
});
const { text, like } = wordsIn("en_us");
const DAY_MS = 86_400_000;

const logIn = (page: Page, token: string) =>
  page.evaluate((token) => {
    localStorage.setItem("viodeLang", "en_us");
    localStorage.setItem("token", token);
  }, token);

/** Looks at every screen that is kept, until the worker has what they need. */
async function look(page: Page): Promise<void> {
  await page.goto("/WithdrawRecord");
  await page.getByText(text("withdrawRecord.empty")).waitFor();
  for (const path of ["/Home", "/Messages", "/Saved?tab=listings", "/Moneylog", "/Choose", "/GameRecord"]) {
    await page.goto(path);
    await page.locator("main li").first().waitFor();
  }
  await settle(page);
  await page.locator("main li").first().waitFor();
}

/** Loads the screen anew once the worker stands: what it needs passes through the worker. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
}

const banner = (page: Page) => page.getByRole("status").filter({ hasText: like("state.asOf") });
const stored = (page: Page) => page.evaluate(() => localStorage.getItem("lastKnown") ?? "");

describe("without a connection the app", () => {
  test("opens with what it last knew, says from when, and promises nothing live", async ({ join, phone }) => {
    const member = await join("reads_on_1", 50);
    const { expect: round } = await member.openRound(TEN_SECONDS.key, 2_000);
    await member.must(placeOrder, { lid: "lot_1", expect: round, item: "A", money: "10" }, "one-bet");
    // It is told in a message.
    await member.must(makeCodes);
    await member.must(saveListing, { id: "lst_1", on: "1" }, "one-save");
    const page = await phone(member);
    await look(page);
    await page.context().setOffline(true);

    await page.goto("/GameRecord");
    await page.locator("main").getByText(round).first().waitFor();
    await banner(page)
      .filter({ hasText: /As of \d{1,2}:\d\d\s[AP]M, offline/ })
      .waitFor();
    for (const path of ["/Messages", "/Moneylog", "/Choose"]) {
      await page.goto(path);
      await page.locator("main li").first().waitFor();
      await banner(page).waitFor();
    }
    await page.goto("/Saved?tab=listings");
    await page.getByRole("tabpanel").getByText(nameOf(1)).waitFor();
    await page.goto("/WithdrawRecord");
    await page.getByText(text("withdrawRecord.empty")).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await banner(page).waitFor();
    await page.goto("/Home");
    await page.locator('main a[href="/Recharge"]').filter({ hasText: /\d/ }).waitFor();
    const logo = page.locator('header img[src="/icons/trio.svg"]');
    await expect.poll(() => logo.evaluate((icon: HTMLImageElement) => icon.naturalWidth)).toBeGreaterThan(0);
    expect(
      await page
        .getByRole("timer")
        .or(page.getByLabel(text("dice.waiting")))
        .count(),
    ).toBe(0);
    await page.goto("/Lottery?key=k3-10s&id=lot_1");
    await banner(page).waitFor();
    expect(await page.getByRole("button", { name: text("cart.place"), disabled: false }).count()).toBe(0);

    await page.addInitScript((ms) => {
      const now = Date.now.bind(Date);
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...given: [number]) {
          if (given.length > 0) super(...given);
          else super(now() + ms);
        }
      } as DateConstructor;
    }, DAY_MS);
    await page.goto("/GameRecord");
    await banner(page)
      .filter({ hasText: /As of \w+ \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M, offline/ })
      .waitFor();

    await page.context().setOffline(false);
    await banner(page).waitFor({ state: "detached" });
  });

  test("keeps nothing that opens anything, and nothing for whoever logs in next", async ({ join, phone }) => {
    const [first, second] = [await join("reads_on_2", 20), await join("reads_on_3")];
    const page = await phone(first);
    await page.goto("/Mine");
    await page.getByText("reads_on_2").first().waitFor();
    await page.reload();
    const kept = await stored(page);
    expect(kept).toContain("reads_on_2");
    const { chain, balance_note: note } = await first.must(getUserInfo);
    for (const secret of [first.token!, chain, note, "127.0.0.1"]) expect(kept).not.toContain(secret);

    await logIn(page, second.token!);
    await settle(page);
    await page.getByText("reads_on_3").first().waitFor();
    await expect.poll(() => stored(page)).not.toContain("reads_on_2");
    await page.context().setOffline(true);
    await page.goto("/Mine");
    await page.locator("h1").waitFor();
    expect(await page.content()).not.toContain("reads_on_2");
    await page.context().setOffline(false);

    await page.goto("/Setting");
    await page.getByRole("button", { name: text("session.logout") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: text("session.logout") })
      .click();
    await page.waitForURL(/Login/);
    expect(await stored(page)).not.toContain("reads_on_3");
  });
});
