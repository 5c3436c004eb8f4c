import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { localeBy, type LocaleCode } from "#shared/locales.ts";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";

const test = browserTest();

const choice = (page: Page, code: LocaleCode) => page.getByRole("button", { name: localeBy(code).name, exact: true });
const busy = (page: Page) => page.locator("main button[aria-busy=true]").allTextContents();
const shown = (page: Page) => page.evaluate(() => [document.documentElement.lang, localStorage.getItem("viodeLang")]);

/** The texts of a language come once they are let go. */
async function hold(page: Page, code: LocaleCode): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**/assets/${localeBy(code).tag}.*.js`, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Whatever the texts that came would change is changed. */
const atRest = (page: Page) => page.evaluate(() => new Promise((rest) => void requestIdleCallback(rest)));

describe("a language whose texts are slow", () => {
  test("is marked until it is shown, and a choice that corrects it counts", async ({ visitor: { page } }) => {
    await page.goto("/About");
    await walk(page, "/Language");
    const letGo = await hold(page, "ja_ja");
    await choice(page, "ja_ja").click();
    await expect.poll(() => busy(page)).toEqual([localeBy("ja_ja").name]);
    await choice(page, "ko_kr").click();
    await page.waitForURL("**/About");
    await expect.poll(() => shown(page)).toEqual(["ko", "ko_kr"]);
    const came = page.waitForResponse(/assets\/ja\.others/);
    letGo();
    await (await came).finished();
    await atRest(page);
    expect(await shown(page)).toEqual(["ko", "ko_kr"]);
    expect(new URL(page.url()).pathname).toBe("/About");
  });

  test("gives way to the first one, chosen again", async ({ visitor: { page } }) => {
    await page.goto("/About");
    await walk(page, "/Language");
    const letGo = await hold(page, "ja_ja");
    await choice(page, "ja_ja").click();
    await choice(page, "en_us").click();
    await page.waitForURL("**/About");
    const came = page.waitForResponse(/assets\/ja\.others/);
    letGo();
    await (await came).finished();
    await atRest(page);
    expect(await shown(page)).toEqual(["en", "en_us"]);
  });

  test("leads nowhere whoever has left meanwhile", async ({ visitor: { page } }) => {
    await page.goto("/About");
    await walk(page, "/Fair");
    await walk(page, "/Language");
    const letGo = await hold(page, "ja_ja");
    await choice(page, "ja_ja").click();
    await expect.poll(() => busy(page)).toEqual([localeBy("ja_ja").name]);
    await page.goBack();
    await page.waitForURL("**/Fair");
    letGo();
    await expect.poll(() => shown(page)).toEqual(["ja", "ja_ja"]);
    await atRest(page);
    expect(new URL(page.url()).pathname).toBe("/Fair");
  });
});
