import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROWS } from "#client/routes.tsx";
import { DEFAULT_KIND, GAME_KINDS } from "#shared/lottery/games.ts";
import { launchBrowser, newDevice, type Visit } from "../support/browser.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { showFilms } from "../support/films.ts";
import { offerPrizes } from "../support/prizes.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WITH_QUERY: Record<string, string> = {
  "/Lottery": "?key=k3-10s&id=lot_1",
  "/Fair": "?key=k3-10s",
  "/Channel": "?money=100",
  "/nHomeDetail": "?id=lst_2",
  "/List": "?id=cty_2&name=Hanoi",
  "/Profile": "?id=lst_2&name=Hanoi&adsid=cty_2",
  "/PlayVideo": "?id=vid_1",
};
/** A game of each kind of the registry; the first kind's is TEN_SECONDS. */
const OTHERS = [...GAME_KINDS.keys()]
  .filter((kind) => kind !== DEFAULT_KIND)
  .map((kind) => ({ ...TEN_SECONDS, key: `${kind}-10s`, kind }));
const otherTables = OTHERS.map(({ key }, i) => `/Lottery?key=${key}&id=lot_${i + 2}`);
/** A full-screen overlay counts as a screen, and so does the page for unknown addresses. */
const screens = ROWS.map(({ path }) => `${path}${WITH_QUERY[path] ?? ""}`);
const paths = [...screens, ...otherTables, "/nHomeDetail?id=lst_2&view=1", "/no/such/page"];
/** The longest texts, and the tallest letters. */
const LONGEST = ["es_spa", "ru_ru", "th_th"];

let browser: Browser;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start({ games: [TEN_SECONDS, ...OTHERS] })]);
  await offerPrizes(server);
  await fillCatalogue(server, { seoul: 1, hanoi: 1 });
  // Long enough not to end while it is checked.
  await showFilms(server, { size: "160x90", seconds: 45 });
  const visitor = await Visitor.come(browser, server.address);
  await visitor.register("looker");
  await visitor.topUp(1_000);
  await visitor.openTable();
  await visitor.bet(["A", "B", "7"], 10);
  await visitor.page
    .getByText(visitor.words.like("round.result"))
    .first()
    .waitFor({ timeout: 20_000, state: "attached" });
  token = (await visitor.page.evaluate(() => localStorage.getItem("token")))!;
  await visitor.close();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Opens a screen and waits until its content is there. */
async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(hasSettled, undefined, { polling: 50 });
}

interface Watched extends Window {
  quietSince?: number;
  answers?: number;
}

/** Whether nothing has changed, and nothing was awaited, during the last fifth of a second. */
function hasSettled(): boolean {
  const watched = window as Watched;
  const answers = performance.getEntriesByType("resource").length;
  const isBusy = document.querySelector('[aria-busy="true"]') !== null;
  if (isBusy || answers !== watched.answers) watched.quietSince = performance.now();
  watched.answers = answers;
  return performance.now() - (watched.quietSince ?? 0) > 200;
}

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
  await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    return (await axe.run(runOnly && { runOnly })).violations;
  }, rules);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** A device for all tests of a block: each opens its screen again by its address. */
function aPage(visit: () => Visit): () => Page {
  let page: Page;
  beforeAll(async () => {
    page = await (await newDevice(browser, server.address, visit())).newPage();
  });
  afterAll(() => page.context().close());
  return () => page;
}

async function violationsInBothThemes(page: Page, path: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await show(page, path);
  const found = await violationsOf(page);
  // The theme changes colours, some of them with a transition.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState === "finished"),
  );
  return [...found, ...(await violationsOf(page, ["color-contrast", "link-in-text-block"]))];
}

describe("axe finds nothing, light or dark", () => {
  const page = aPage(() => ({ token }));
  it.each(paths)("on %s", async (path) => {
    expect(await violationsInBothThemes(page(), path)).toEqual([]);
  });
});

describe("axe finds nothing for a guest, light or dark", () => {
  const page = aPage(() => ({}));
  it.each(["/Login", "/Register", "/Home", "/Language", "/Fair?key=k3-10s"])("on %s", async (path) => {
    expect(await violationsInBothThemes(page(), path)).toEqual([]);
  });
});

/** What reaches beyond the right edge, except in scrollable parts. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isTooWide = (element: Element) =>
      element.getBoundingClientRect().right > edge + 1 && !element.closest("ol, .swiper, [class*=overflow-x]");
    return [...document.querySelectorAll("#root *")]
      .filter(isTooWide)
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

describe.each(LONGEST)("nothing is cut off or wider than a small phone in %s", (lang) => {
  const page = aPage(() => ({ token, lang, viewport: { width: 360, height: 740 } }));
  it.each(paths)("on %s", async (path) => {
    await show(page(), path);
    expect(await tooWide(page())).toEqual([]);
  });
});

describe("text twice as large fits a small phone", () => {
  const page = aPage(() => ({ token, lang: "ru_ru", viewport: { width: 360, height: 640 } }));
  it.each([`/Lottery${WITH_QUERY["/Lottery"]}`, ...otherTables])("on %s", async (path) => {
    await page().addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "32px")),
    );
    await show(page(), path);
    const tiles = page().locator("[data-option]");
    expect(await tooWide(page())).toEqual([]);
    expect(await tiles.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length)).toBe(0);
    await tiles.first().click();
    await page().locator('[name="stake"]').waitFor();
    expect(await tooWide(page())).toEqual([]);
  });
});
