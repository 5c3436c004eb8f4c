import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { layersInHistory, standsStill } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import type { Visitor } from "../support/visitor.ts";

const KEY = "k3-1m";
const TABLE = `/Lottery?key=${KEY}&id=lot_1`;
const test = browserTest({ games: [{ key: KEY, name: "One minute", periodS: 60, closeS: 5 }] });

const sheetOf = ({ page, words }: Visitor) => page.getByRole("dialog", { name: words.text("guide.title") });
const topOfBoard = ({ page }: Visitor) =>
  page
    .locator("[data-option]")
    .first()
    .evaluate((tile) => tile.getBoundingClientRect().top);

/** Opens the table, and waits until it knows the member's bets on it. */
async function openTable({ page }: Visitor): Promise<void> {
  const known = page.waitForResponse(/\/api\/.*own/i);
  await page.goto(TABLE);
  await known;
  await page.locator("[data-option]").first().waitFor();
}

describe("the first minutes at a table", () => {
  test("are three cards that never move the board, and never come again", async ({ enter }) => {
    const visitor = await enter("new_here", 100, { isNew: true });
    const { page, words, button } = visitor;
    await page.goto("/About");
    await openTable(visitor);
    await sheetOf(visitor).waitFor();
    const top = await topOfBoard(visitor);
    const card = (key: "guide.round" | "guide.bet" | "fair.title") =>
      page.getByRole("heading", { name: words.text(key), exact: true });
    const shown = async () =>
      Promise.all((["guide.round", "guide.bet", "fair.title"] as const).map((key) => card(key).isVisible()));
    expect(await shown()).toEqual([true, false, false]);
    await standsStill(sheetOf(visitor));
    const sheet = (await sheetOf(visitor).boundingBox())!;
    await button("guide.next").click();
    await card("guide.bet").waitFor();
    expect([await shown(), await sheetOf(visitor).boundingBox()]).toEqual([[false, true, false], sheet]);
    await button("guide.next").click();
    await card("fair.title").waitFor();
    expect(await button("guide.skip").isVisible()).toBe(false);
    await button("action.ok").click();
    await sheetOf(visitor).waitFor({ state: "detached" });
    expect(await topOfBoard(visitor)).toBe(top);
    await layersInHistory(page, 0);
    await openTable(visitor);
    await page.waitForLoadState("networkidle");
    expect(await sheetOf(visitor).count()).toBe(0);
    await page.goBack();
    await page.waitForURL(/\/About/);
  });

  test.for<[way: string, close: (visitor: Visitor) => Promise<unknown>]>([
    ["Skip", ({ button }) => button("guide.skip").click()],
    ["Back", ({ page }) => page.goBack()],
  ])("are over at once with %s", async ([way, close], { enter }) => {
    const visitor = await enter(`by_${way.toLowerCase()}`, 0, { isNew: true });
    await openTable(visitor);
    await sheetOf(visitor).waitFor();
    await layersInHistory(visitor.page, 1);
    await close(visitor);
    await sheetOf(visitor).waitFor({ state: "detached" });
    expect(new URL(visitor.page.url()).pathname).toBe("/Lottery");
    expect(await visitor.page.evaluate(() => localStorage.getItem("tableTold"))).toBe("yes");
  });

  test("do not come over a bet", async ({ join, come }) => {
    const member = await join("has_a_bet", 100);
    const [game] = await member.must(lotteryList);
    const { expect: round } = await member.openRound(KEY, 2_000);
    await member.must(placeOrder, { item: "A", money: "10", lid: game!.id, mid: "", expect: round });
    const visitor = await come({ token: member.token!, isNew: true });
    await openTable(visitor);
    await visitor.page.waitForLoadState("networkidle");
    expect(await sheetOf(visitor).count()).toBe(0);
  });
});

test.for(["vn_vn", "ms_my"] as const)(
  "how to play is read at the table at any time, at twice the size on a small phone in %s",
  async (lang, { enter }) => {
    const viewport = { width: 360, height: 640 };
    const visitor = await enter(`reads_${lang}`, 0, { lang, theme: "dark", viewport, isNew: true });
    const { button, page, words } = visitor;
    const sheet = sheetOf(visitor);
    const beyond = () => sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await openTable(visitor);
    await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
    await sheet.waitFor();
    expect(await beyond()).toBe(0);
    await button("guide.skip").click();
    await sheet.waitFor({ state: "detached" });
    await layersInHistory(page, 0);
    await button("guide.title").click();
    for (const key of ["guide.round", "guide.bet", "fair.title", "odds.explain"] as const)
      await sheet.getByRole("heading", { name: words.text(key), exact: true }).waitFor();
    await sheet.getByText(words.like("guide.pays", { stake: "100", paid: "195" })).waitFor();
    await sheet.getByRole("table").waitFor();
    expect(await beyond()).toBe(0);
    await page.goBack();
    await sheet.waitFor({ state: "detached" });
  },
);
