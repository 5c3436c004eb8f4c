import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const test = browserTest();

describe("an address without a screen", () => {
  test.for(["en_us", "ko_kr", "ms_my"] as const)("says so in %s, and leads home", async (lang, { come }) => {
    const { page, words } = await come({ lang });
    const answer = await page.goto("/listing/7?from=a-letter");
    expect(answer!.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: words.text("notFound.title") }).waitFor();
    expect(await page.title()).toContain(words.text("notFound.title"));
    await page.getByText(words.text("notFound.hint")).waitFor();
    // Also for a visitor whose browser has cached the page.
    expect((await page.reload())!.status()).toBe(404);
    await page.getByRole("link", { name: words.text("action.toHome") }).click();
    await page.waitForURL(/\/Home$/);
  });

  test("is never assumed for a screen, however it is written", async ({ visitor }) => {
    for (const path of ["/home", "/LANGUAGE/", "/About"]) {
      expect((await visitor.page.goto(path))!.status()).toBe(200);
      await visitor.page.locator("h1").first().waitFor();
      expect(await visitor.page.title()).not.toContain(visitor.words.text("notFound.title"));
    }
  });
});
