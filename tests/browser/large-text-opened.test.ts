import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client, eventually } from "../support/client.ts";
import { faultsOfLargeText } from "../support/cut-texts.ts";
import { importVideos } from "../support/import-videos.ts";
import { offerPrizes } from "../support/prizes.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { settle, show } from "../support/settled-screen.ts";
import { operatorOf, prepare, PIN } from "../support/withdrawal-steps.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { wordsIn, type Words } from "../support/words.ts";
import type { TextKey } from "#client/text/i18n.ts";

/** Bets on an open round. Returns its number. */
async function bet(member: Client, item: string): Promise<string> {
  const [game] = await member.must(lotteryList);
  const { expect: round } = await member.openRound(game!.key, 2_000);
  await member.must(placeOrder, { item, money: "10000", lid: game!.id, mid: "", expect: round });
  return round;
}

/** A member with something in each list, in large figures. */
async function joinWithContent(server: { address: string } & Parameters<typeof operatorOf>[0]) {
  const member = await new Client(server.address).register("looker");
  await prepare(member, 100_000);
  await operatorOf(server)("recharge:credit", "looker", "25000", "--reason", "Paid at the desk");
  const round = await bet(member, "A,B,C,7,18");
  await member.must(setUserWithdraw, { money: "1000", paypwd: PIN });
  await eventually(async () => {
    const { expect: next } = await member.openRound(TEN_SECONDS.key);
    expect(next).not.toBe(round);
  });
  return { member, token: member.token!, round };
}

const test = browserTest({
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 3 });
    await importVideos(server, { size: "160x90", seconds: 20 });
    const plans = join(server.folder, "plans.json");
    writeFileSync(plans, JSON.stringify([{ id: "plan_30", name: { en_us: "A month" }, days: 30, price: 300 }]));
    await operatorOf(server)("plan:set", plans);
  },
  games: [TEN_SECONDS],
}).extend("member", { scope: "file" }, ({ server }) => joinWithContent(server));

type Open = (page: Page, words: Words, round: string, member: Client) => Promise<unknown>;

const press =
  (key: TextKey): Open =>
  (page, words) =>
    page
      .getByRole("main")
      .getByRole("button", { name: words.like(key) })
      .first()
      .click();

const receipt: Open = (page, words) =>
  page
    .getByRole("listitem")
    .getByRole("link", { name: words.text("receipt.show") })
    .first()
    .click();

/** What opens over a screen, or from it, and its screen. */
const OPENED: [name: string, path: string, open: Open][] = [
  ["the filters", "/nHomeList", press("listing.filter")],
  ["the cities", "/Home", press("city.pick")],
  ["a plan", "/Plans", press("plan.buy")],
  ["a break", "/Limits", (page) => page.locator('main [role="group"] button').first().click()],
  ["the way out", "/Setting", press("session.logout")],
  ["the speeds", "/PlayVideo?id=vid_1", press("player.speed")],
  ["the pictures of a member", "/Infomation", (page) => page.locator("main button").first().click()],
  [
    "the passcode",
    "/Withdraw",
    async (page, words) => {
      await page.getByLabel(words.text("withdraw.amount"), { exact: true }).fill("500");
      await page.getByRole("button", { name: words.text("withdraw.send") }).click();
      await page.getByRole("dialog").waitFor();
    },
  ],
  ["the receipt of a bet", "/GameRecord", receipt],
  ["the receipt of a top-up", "/RechargeRecord", receipt],
  ["the receipt of a withdrawal", "/WithdrawRecord", receipt],
  ["an entry", "/Moneylog", (page) => page.getByRole("listitem").getByRole("link").first().click()],
  [
    "the options of a bet",
    "/GameRecord",
    async (page) => {
      await page.locator("summary").first().click();
    },
  ],
  [
    "dates to choose",
    "/GameRecord",
    (page, words) =>
      page
        .getByLabel(words.text("history.period"), { exact: true })
        .selectOption({ label: words.text("history.dates") }),
  ],
  [
    "my bets at a table",
    `/Lottery?key=${TEN_SECONDS.key}`,
    async (page, words, _, member) => {
      await bet(member, "A,18");
      await tap(page, ownBets(words));
    },
  ],
  ["the past draws", `/Lottery?key=${TEN_SECONDS.key}`, (page, words) => tap(page, words.like("round.stats"))],
  ["how to play", `/Lottery?key=${TEN_SECONDS.key}`, (page, words) => tap(page, words.like("guide.title"))],
  ["a checked draw", "/Fair", (page, words, round) => checked(page, words, round)],
];

/** The strip of my bets: while their round is open, or with what it brought. */
const ownBets = (words: Words) => new RegExp(`${words.like("own.title").source}|${words.like("own.result").source}`);

/** Opens a sheet of the table by a button, wherever the page is scrolled to. */
const tap = async (page: Page, name: RegExp) => {
  const button = page.getByRole("main").getByRole("button", { name, disabled: false }).first();
  await button.evaluate((element: HTMLElement) => element.click());
  await page.getByRole("dialog").waitFor();
};

const checked = async (page: Page, words: Words, round: string) => {
  await show(page, `/Fair?key=${TEN_SECONDS.key}&expect=${round}`);
  await page.getByText(words.text("fair.good")).waitFor();
};

describe.each(["vn_vn", "ms_my"] as const)("text twice as large is cut off nowhere on a small phone in %s", (lang) => {
  const visit = (token: string) => ({ lang, token, viewport: { width: 360, height: 640 } });
  const enlarge = (page: Page) => page.evaluate(() => void (document.documentElement.style.fontSize = "32px"));

  test.for(OPENED)("in %s, on %s", async ([, path, open], { pageFor, member: { member, token, round } }) => {
    const page = await pageFor(visit(token));
    await page.goto("/About");
    await page.locator("h1").waitFor();
    await enlarge(page);
    await show(page, path);
    await open(page, wordsIn(lang), round, member);
    await settle(page);
    expect(await faultsOfLargeText(page)).toEqual([]);
  });
});
