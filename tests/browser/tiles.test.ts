import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { LOCALES } from "#shared/locales.ts";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { byLength } from "../support/length.ts";
import { overlapsOnTiles } from "../support/overlaps.ts";
import { TEN_SECONDS } from "../support/server-process.ts";

const games = [...GAME_KINDS.keys()].map((kind) => ({ ...TEN_SECONDS, key: `${kind}-10s`, kind }));
/** Width of the screen, and the size of text; the usual is 16 px. */
const VIEWS = [
  { width: 320, text: 16 },
  { width: 390, text: 16 },
  { width: 360, text: 32 },
] as const;

const test = browserTest({ games }).extend("token", { scope: "file" }, async ({ server }) => {
  const { token } = await new Client(server.address).register("looker");
  return token!;
});

async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, text } of VIEWS) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), text);
    for (const fault of await overlapsOnTiles(page)) faults.push(`${width} px, text ${text} px, ${fault}`);
  }
  return faults;
}

/** Chooses the first options, however often the round closes meanwhile. */
async function chooseFirst(page: Page, count: number): Promise<void> {
  const left = () =>
    page.locator("[data-option]").evaluateAll((all, count) => {
      const waiting = all.slice(0, count).filter((tile) => tile.ariaPressed !== "true");
      for (const tile of waiting) (tile as HTMLElement).click();
      return waiting.length;
    }, count);
  await expect.poll(left).toBe(0);
}

/** The longest names, the tallest letters, the widest letters. */
const TELLING = ["ru_ru", "th_th", "ko_kr"];
const LANGS = byLength(
  TELLING,
  LOCALES.map(({ code }) => code),
);

describe.each(LANGS)("no name, rate, chance or mark overlaps another in %s", (lang) => {
  const boards = games.map(({ key, kind }, place) => ({ kind, path: `/Lottery?key=${key}&id=lot_${place + 1}` }));
  test.for(boards)("on the board of $kind", async ({ path }, { pageFor, token }) => {
    const page = await pageFor({ lang, token });
    await walk(page, path);
    const tiles = page.locator("[data-option]");
    await tiles.first().waitFor();
    expect(await faultsIn(page)).toEqual([]);
    // A chosen one has a mark.
    await chooseFirst(page, await tiles.count());
    expect(await faultsIn(page)).toEqual([]);
  });
});

test.for(["vn_vn", "ms_my", "ru_ru"])(
  "an open cart leaves half of a small phone to the board, in %s",
  async (lang, { pageFor, token }) => {
    const page = await pageFor({ lang, token, viewport: { width: 360, height: 640 } });
    await walk(page, `/Lottery?key=${games[0]!.key}&id=lot_1`);
    const tiles = page.locator("[data-option]");
    await tiles.first().waitFor();
    // No note may lie on them.
    await chooseFirst(page, 2);
    const cart = page.locator("section:has(form)");
    await expect.poll(async () => (await cart.boundingBox())!.height).toBeLessThanOrEqual(320);
    // The way to limits and breaks stands once, and in view.
    const limits = page.locator('a[href="/Limits"]:visible');
    expect(await limits.count()).toBe(1);
    const foot = () => limits.evaluate((link) => link.getBoundingClientRect().bottom);
    await expect.poll(foot).toBeLessThanOrEqual(640);
  },
);
