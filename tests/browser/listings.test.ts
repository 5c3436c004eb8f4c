import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { scrollPage } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue, nameOf } from "../support/catalogue.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { Touch } from "../support/touch.ts";
import type { Visitor } from "../support/visitor.ts";

const SEOUL = 300;
const HANOI = 5;
const ALL = SEOUL + HANOI;

let visitor: Visitor;
const test = browserTest({ furnish: (server) => fillCatalogue(server, { seoul: SEOUL, hanoi: HANOI }) });
test.beforeEach(({ visitor: guest }) => {
  visitor = guest;
});

const rows = (page: Page) => page.locator("main ul > li");
const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
const names = (page: Page) => rows(page).locator(".font-semibold.text-base").allTextContents();

/** Scrolls to the end again and again until there are more rows than these. */
async function nextPage(page: Page, before: number): Promise<void> {
  const hasMore = (before: number) => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    return document.querySelectorAll("main ul > li").length > before;
  };
  await page.waitForFunction(hasMore, before, { polling: 60 }).catch(async () => {
    // A list that stops says why at its end.
    const end = await page.locator("main ul + *").allInnerTexts();
    throw new Error(`${before} rows, and then: ${end.join(" ")}`);
  });
}

/** Loads page after page until there are this many rows. */
async function scrollToRow(page: Page, count: number): Promise<void> {
  await rows(page).first().waitFor();
  for (let loaded = await rows(page).count(); loaded < count; loaded = await rows(page).count())
    await nextPage(page, loaded);
}

/** Scrolls a row to the middle of the screen and opens it. Returns the positions of list and row. */
async function openRow(page: Page, number: number) {
  const row = rows(page).nth(number);
  await scrollPage(page, await row.evaluate((it) => it.getBoundingClientRect().top + window.scrollY - 301));
  const { y } = (await row.boundingBox())!;
  const place = await scrolled(page);
  await row.getByRole("link").click();
  await page.waitForURL(/\/nHomeDetail\?id=/);
  await page.locator("main dl").first().waitFor();
  return { place, y };
}

describe("the catalogue", () => {
  test("goes on for thirty pages to its end, and Back leads to the same row, to the pixel", async () => {
    const { page, words } = visitor;
    await page.goto("/nHomeList");
    await scrollToRow(page, ALL);
    await page.getByText(words.text("state.noMore")).waitFor();
    expect((await names(page)).slice(0, 2)).toEqual([nameOf(ALL), nameOf(ALL - 1)]);
    const calls: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // A listing itself asks for others of its city.
      if (pathname === "/api/nHomeList" && !searchParams.has("city")) calls.push(request.url());
    });
    const { place, y } = await openRow(page, 222);
    await visitor.button("action.back").click();
    await page.waitForURL(/\/nHomeList/);
    await expect.poll(() => scrolled(page)).toBe(place);
    expect(await rows(page).count()).toBe(ALL);
    expect(await rows(page).nth(222).boundingBox()).toMatchObject({ y });
    expect(calls).toEqual([]);
  });

  test("does so on the home screen too: the same row after Back", async () => {
    const { page } = visitor;
    await page.goto("/Home");
    await scrollToRow(page, 60);
    const { place } = await openRow(page, 47);
    await page.goBack();
    await page.waitForURL(/\/Home/);
    await expect.poll(() => scrolled(page)).toBe(place);
    expect(await rows(page).count()).toBeGreaterThanOrEqual(60);
  });

  test("is refetched by pulling it down, half a second after letting go", async () => {
    const { page, words } = visitor;
    await page.goto("/nHomeList");
    await rows(page).first().waitFor();
    const finger = await Touch.of(page);
    await finger.down({ x: 200, y: 250 });
    await finger.by(0, 60);
    await page.getByText(words.text("pull.pulling")).waitFor();
    await finger.by(0, 140);
    await page.getByText(words.text("pull.ready")).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes("/api/nHomeList"));
    // The end of the list says the same.
    const loading = page.locator("p.h-16", { hasText: words.text("pull.loading") });
    const isLoading = loading.waitFor();
    const letGoAt = Date.now();
    await finger.up();
    await isLoading;
    await asked;
    expect(Date.now() - letGoAt).toBeGreaterThanOrEqual(500);
    await page.getByText(words.text("state.refreshed")).waitFor();
    await loading.waitFor({ state: "detached" });
    expect(await rows(page).count()).toBe(10);
  });
});

describe("a search", () => {
  test("is set in a sheet and is part of the address, which can be shared", async () => {
    const { page, words } = visitor;
    await page.goto("/nHomeList");
    await visitor.button("listing.filter").click();
    await visitor.field("listing.city").selectOption({ label: "Hanoi" });
    await visitor.field("listing.sort").selectOption({ label: words.text("listing.sorts.price") });
    await visitor.field("listing.ranges.price_min").fill("601");
    await visitor.button("listing.show").click();
    const found = [nameOf(302), nameOf(303), nameOf(304), nameOf(305)];
    await expect.poll(() => names(page)).toEqual(found);
    const { search } = new URL(page.url());
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      city: "cty_2",
      sort: "price",
      price_min: "601",
    });
    const other = await visitor.device.newPage();
    await other.goto(`/nHomeList${search}`);
    await expect.poll(() => names(other)).toEqual(found);
    await rows(page).nth(1).getByRole("link").click();
    await page.waitForURL(/\/nHomeDetail/);
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(found);
    expect(new URL(page.url()).search).toBe(search);
  });

  test("by name finds the listing; without a result it offers all", async () => {
    const { page, words } = visitor;
    await page.goto("/nHomeList");
    await page.getByRole("searchbox").fill("host 30");
    await page.keyboard.press("Enter");
    await expect.poll(() => names(page)).toContain(nameOf(30));
    await page.getByRole("searchbox").fill("nobody at all");
    await page.keyboard.press("Enter");
    await page.getByText(words.text("listing.noneFound")).waitFor();
    await visitor.button("listing.clear").click();
    await expect.poll(() => rows(page).count()).toBe(10);
    expect(new URL(page.url()).search).toBe("");
  });

  test("in a removed city finds nothing, which is no error", async () => {
    const { page, words } = visitor;
    await page.goto("/nHomeList?city=cty_99");
    await page.getByText(words.text("listing.noneFound")).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("a failed page of the catalogue", () => {
  test("leaves the loaded ones, and is retried by a tap", async () => {
    const { page } = visitor;
    await page.route(/\/api\/nHomeList\?.*page=2/, (route) => route.abort());
    await page.goto("/nHomeList");
    await rows(page).first().waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await visitor.button("action.retry").waitFor();
    expect(await rows(page).count()).toBe(10);
    await page.unroute(/\/api\/nHomeList\?.*page=2/);
    await visitor.button("action.retry").click();
    await expect.poll(() => rows(page).count()).toBe(20);
  });
});

describe("while the site requires a login", () => {
  test("a guest is sent there from the list and from a card", async ({ server }) => {
    const { page } = visitor;
    await page.goto("/nHomeList");
    await rows(page).first().waitFor();
    await operatorOf(server)("setting:set", "video_login", "1");
    await page.waitForURL(/\/Login/);
    await page.goto("/nHomeDetail?id=lst_1");
    await page.waitForURL(/\/Login/);
    expect(await page.locator("main dl").count()).toBe(0);
    await operatorOf(server)("setting:set", "video_login", "0");
  });
});
