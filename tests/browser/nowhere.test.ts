import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("an address without a screen", () => {
  it.each(["en_us", "ko_kr", "ms_my"] as const)("says so in %s, and leads home", async (lang) => {
    const visitor = await Visitor.come(browser, server.address, { lang });
    const { page, words, faults } = visitor;
    const answer = await page.goto("/listing/7?from=a-letter");
    expect(answer!.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: words.text("notFound.title") }).waitFor();
    expect(await page.title()).toContain(words.text("notFound.title"));
    await page.getByText(words.text("notFound.hint")).waitFor();
    // Also for a visitor whose browser has cached the page.
    expect((await page.reload())!.status()).toBe(404);
    await page.getByRole("link", { name: words.text("action.toHome") }).click();
    await page.waitForURL(/\/Home$/);
    expect(faults).toEqual([]);
    await visitor.close();
  });

  it("is never assumed for a screen, however it is written", async () => {
    const visitor = await Visitor.come(browser, server.address);
    for (const path of ["/home", "/LANGUAGE/", "/About"]) {
      expect((await visitor.page.goto(path))!.status()).toBe(200);
      await visitor.page.locator("h1").first().waitFor();
      expect(await visitor.page.title()).not.toContain(visitor.words.text("notFound.title"));
    }
    await visitor.close();
  });
});
