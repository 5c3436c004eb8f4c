import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { lotteryList, placeOrder } from "#shared/contract/lottery.ts";
import { DEFAULT_KIND, GAME_KINDS } from "#shared/lottery/games.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client, eventually } from "../support/client.ts";
import { importVideos } from "../support/import-videos.ts";
import { byLength } from "../support/length.ts";
import { offerPrizes } from "../support/prizes.ts";
import { SCREEN_PATHS, TABLE_PATH } from "../support/screen-paths.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { settle, show, tooWide } from "../support/settled-screen.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A game of each kind of the registry; the first kind's is TEN_SECONDS. */
const OTHERS = [...GAME_KINDS.keys()]
  .filter((kind) => kind !== DEFAULT_KIND)
  .map((kind) => ({ ...TEN_SECONDS, key: `${kind}-10s`, kind }));
const otherTables = OTHERS.map(({ key }, i) => `/Lottery?key=${key}&id=lot_${i + 2}`);
/** A full-screen overlay counts as a screen, and so does the page for unknown addresses. */
const paths = [...SCREEN_PATHS, ...otherTables, "/nHomeDetail?id=lst_2&view=1", "/no/such/page"];
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const test = browserTest({
  games: [TEN_SECONDS, ...OTHERS],
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 1 });
    // Long enough not to end while it is checked.
    await importVideos(server, { size: "160x90", seconds: 20 });
  },
})
  // A member with something in each list: a top-up, a bet and its result.
  .extend("token", { scope: "file" }, async ({ server }) => {
    const member = await new Client(server.address).register("looker");
    await member.topUp(1_000);
    const [game] = await member.must(lotteryList);
    const { expect: round } = await member.openRound(game!.key, 2_000);
    await member.must(placeOrder, { item: "A,B,7", money: "10", lid: game!.id, mid: "", expect: round });
    await eventually(async () => {
      const { expect: drawn } = await member.openRound(game!.key);
      expect(drawn).not.toBe(round);
    });
    return member.token!;
  });

interface Violation {
  id: string;
  nodes: { html: string }[];
}

interface Axe {
  run(options?: { runOnly: string[] }): Promise<{ violations: Violation[] }>;
}

/** What axe finds by all its rules, or by these only. */
async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Past the page's policy, which allows no other script.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    return (await axe.run(runOnly && { runOnly })).violations;
  }, rules);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** In a short run each screen has one theme, and its neighbour in the list the other. */
const themesOf = (path: string, list: string[]) =>
  byLength<readonly Theme[]>([THEMES[list.indexOf(path) % THEMES.length]!], THEMES);

/** What axe finds by all its rules, and in a second theme by those that a theme can break. */
async function violationsIn(page: Page, path: string, [first, second]: readonly Theme[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: first!, reducedMotion: "reduce" });
  await show(page, path);
  const found = await violationsOf(page);
  if (!second) return found;
  await page.emulateMedia({ colorScheme: second, reducedMotion: "reduce" });
  await settle(page);
  return [...found, ...(await violationsOf(page, ["color-contrast", "link-in-text-block"]))];
}

describe("axe finds nothing, light or dark", () => {
  test.for(paths)("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ token });
    expect(await violationsIn(page, path, themesOf(path, paths))).toEqual([]);
  });
});

/** What axe finds in a state of a screen, in each theme. */
async function violationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settle(page);
    found.push(...(await violationsOf(page)));
  }
  return found;
}

describe("axe finds nothing at the table", () => {
  test("with stakes for each option, the statistics open, and how to play", async ({ pageFor, token }) => {
    const page = await pageFor({ token });
    await show(page, TABLE_PATH);
    for (const option of ["A", "7"]) await page.locator(`[data-option="${option}"]`).click();
    await page.getByRole("button", { name: "A stake for each" }).click();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Statistics" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "How to play" }).click();
    await page.getByRole("dialog", { name: "How to play" }).waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test("in somebody's first minutes", async ({ pageFor, server }) => {
    const { token } = await new Client(server.address).register("newcomer");
    const page = await pageFor({ token: token!, isNew: true });
    await show(page, TABLE_PATH);
    await page.getByRole("button", { name: "Next" }).click();
    expect(await violationsInThemes(page)).toEqual([]);
  });
});

describe("axe finds nothing for a guest, light or dark", () => {
  const guestScreens = ["/Login", "/Register", "/Home", "/Language", "/Fair?key=k3-10s", "/Proof"];
  test.for(guestScreens)("on %s", async (path, { pageFor }) => {
    const page = await pageFor({});
    expect(await violationsIn(page, path, themesOf(path, guestScreens))).toEqual([]);
  });
});

/** The longest texts. `every-language.long.test.ts` looks at the others. */
describe("nothing is wider than a small phone in Russian", () => {
  test.for(paths)("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang: "ru_ru", token, viewport: { width: 360, height: 740 } });
    await show(page, path);
    expect(await tooWide(page)).toEqual([]);
  });
});

/** The texts that reach beyond their tile. Marks on a tile's edge, of a stake or of what has just fallen, may. */
function cutTexts(tiles: Element[]): string[] {
  return tiles.flatMap((tile) => {
    const { left, right } = tile.getBoundingClientRect();
    const texts = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
    const cut: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement!.closest(".sr-only, .absolute")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.left < left - 1 || box.right > right + 1) cut.push(node.textContent!);
    }
    return cut;
  });
}

describe("text twice as large fits a small phone", () => {
  test.for([TABLE_PATH, ...otherTables])("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang: "ru_ru", token, viewport: { width: 360, height: 640 } });
    await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
    await show(page, path);
    const tiles = page.locator("[data-option]");
    expect(await tooWide(page)).toEqual([]);
    expect(await tiles.evaluateAll(cutTexts)).toEqual([]);
    await tiles.first().click();
    await page.locator('[name="stake"]').waitFor();
    expect(await tooWide(page)).toEqual([]);
  });
});
