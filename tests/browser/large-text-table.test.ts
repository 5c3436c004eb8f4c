import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { setLimits } from "#shared/contract/wallet.ts";
import { browserTest, type Enter } from "../support/browser-test.ts";
import type { Client } from "../support/client.ts";
import { textFaults } from "../support/cut-texts.ts";
import { settle } from "../support/settled-screen.ts";
import type { Visitor } from "../support/visitor.ts";

const GAME = { key: "k3-20s", name: "Twenty seconds", periodS: 20, closeS: 3 };
const LANGUAGES = ["vn_vn", "ms_my", "ko_kr"] as const;
const THREE = ["A", "C", "18"];
const MUCH = "99999999";

const test = browserTest({ games: [GAME] });

/** Sits down at the table on a small phone, with text twice as large. */
async function sitDown({ page }: Visitor): Promise<void> {
  await page.goto(`/Lottery?key=${GAME.key}&id=lot_1`);
  await page.locator('[data-option="18"]').waitFor();
  await page.evaluate(() => void (document.documentElement.style.fontSize = "32px"));
}

const enlarged = async (enter: Enter, name: string, lang: (typeof LANGUAGES)[number]) => {
  const visitor = await enter(name, 1_234_567, { lang, viewport: { width: 360, height: 640 } });
  await sitDown(visitor);
  return visitor;
};

/** Chooses options without scrolling to them. */
const choose = async (page: Page, options: readonly string[]) => {
  for (const option of options)
    await page.locator(`[data-option="${option}"]`).evaluate((tile: HTMLElement) => tile.click());
};

const faults = async (page: Page): Promise<string[]> => {
  await settle(page);
  return textFaults(page);
};

/** The options in the cart whose name has a word on two lines. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.locator("form li label").evaluateAll((labels) =>
    labels.flatMap(({ firstChild }) =>
      [...firstChild!.textContent!.matchAll(/\S+/g)]
        .filter(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(firstChild!, index);
          range.setEnd(firstChild!, index + word.length);
          return range.getClientRects().length > 1;
        })
        .map(([word]) => word),
    ),
  );

let members = 0;

describe.each(LANGUAGES)("text twice as large is cut off nowhere at the table on a small phone in %s", (lang) => {
  test("in the cart: one stake, a stake for each, and beyond the balance", async ({ enter }) => {
    const visitor = await enlarged(enter, `cart_${++members}`, lang);
    const { page, words, button, field } = visitor;
    await choose(page, THREE);
    await field("cart.stake").fill("1000");
    expect(await faults(page)).toEqual([]);
    await field("cart.stake").fill(MUCH);
    await page.getByText(words.like("figure.missing")).waitFor();
    expect(await faults(page)).toEqual([]);
    await button("cart.each").click();
    expect(await faults(page)).toEqual([]);
    expect(await brokenWords(page)).toEqual([]);
  });

  test("in a cart that was not placed in time: its head stays in sight", async ({ enter }) => {
    const { page, words, field } = await enlarged(enter, `late_${++members}`, lang);
    await choose(page, THREE);
    await field("cart.stake").fill("1000");
    await page
      .getByText(words.like("cart.late"))
      .or(page.getByText(words.like("cart.carried")))
      .waitFor();
    expect(await faults(page)).toEqual([]);
    const { y } = (await page.getByRole("region", { name: words.text("cart.title") }).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
  });

  test("at the field: beyond the member's own limit", async ({ join, come }) => {
    const member: Client = await join(`limit_${++members}`, 5_000);
    await member.must(setLimits, { stake_day: "50" });
    const visitor = await come({ token: member.token!, lang, viewport: { width: 360, height: 640 } });
    const { page, words, button, field } = visitor;
    await sitDown(visitor);
    await choose(page, THREE);
    await field("cart.stake").fill("1000");
    await page.getByText(words.like("cart.beyond", { amount: "50" })).waitFor();
    expect(await faults(page)).toEqual([]);
    await button("cart.each").click();
    expect(await faults(page)).toEqual([]);
  });

  test("in the result: won, lost and half won, and in the sheet of the latest bets", async ({ enter }) => {
    const bets = [["A"], ["B"], ["A", "B", "C", "D"]];
    const visitors = await Promise.all(bets.map(() => enlarged(enter, `result_${++members}`, lang)));
    await visitors[0]!.waitForSeconds(12);
    await Promise.all(
      visitors.map(async ({ page, button, field }, place) => {
        await choose(page, bets[place]!);
        await field("cart.stake").fill("100000");
        await button("cart.place").click();
      }),
    );
    for (const { page, words } of visitors) {
      const result = page.getByRole("region", { name: words.text("cart.title") });
      await result.getByRole("heading", { name: words.like("own.result") }).waitFor();
      expect(await faults(page)).toEqual([]);
      const strip = page.getByRole("main").getByRole("button", { name: words.like("own.result") });
      await strip.evaluate((button: HTMLElement) => button.click());
      await page.getByRole("dialog").waitFor();
      expect(await faults(page)).toEqual([]);
    }
  });
});
