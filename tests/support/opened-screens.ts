import type { Page } from "playwright-core";
import type { TextKey } from "#client/text/i18n.ts";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import type { Client } from "./client.ts";
import { show } from "./settled-screen.ts";
import type { Words } from "./words.ts";

/** Bets on an open round of the first game. Returns its number. */
export async function bet(member: Client, item: string): Promise<string> {
  const [game] = await member.must(lotteryList);
  const { expect: round } = await member.openRound(game!.key, 2_000);
  await member.must(placeOrder, { item, money: "10000", lid: game!.id, mid: "", expect: round });
  return round;
}

/** Who looks, and the round of a bet of theirs that is settled. */
interface Looker {
  member: Client;
  round: string;
}

type Open = (page: Page, words: Words, looker: Looker) => Promise<unknown>;

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

/** What opens over a screen, or from it, and its screen, on a site whose first game is this one. */
export const openedScreens = (game: string): [name: string, path: string, open: Open][] => [
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
    `/Lottery?key=${game}`,
    async (page, words, { member }) => {
      await bet(member, "A,18");
      await tap(page, ownBets(words));
    },
  ],
  ["the past draws", `/Lottery?key=${game}`, (page, words) => tap(page, words.like("round.stats"))],
  ["how to play", `/Lottery?key=${game}`, (page, words) => tap(page, words.like("guide.title"))],
  [
    "a checked draw",
    "/Fair",
    async (page, words, { round }) => {
      await show(page, `/Fair?key=${game}&expect=${round}`);
      await page.getByText(words.text("fair.numbers"), { exact: true }).waitFor();
    },
  ],
];

/** The strip of my bets: while their round is open, or with what it brought. */
const ownBets = (words: Words) => new RegExp(`${words.like("own.title").source}|${words.like("own.result").source}`);

/** Opens a sheet of the table by a button, wherever the page is scrolled to. */
const tap = async (page: Page, name: RegExp) => {
  const button = page.getByRole("main").getByRole("button", { name, disabled: false }).first();
  await button.evaluate((element: HTMLElement) => element.click());
  await page.getByRole("dialog").waitFor();
};
