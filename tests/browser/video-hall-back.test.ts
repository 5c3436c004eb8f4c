import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { setWatchPlace } from "#shared/contract/video.ts";
import { scrollPage } from "../support/browser.ts";
import { Touch } from "../support/touch.ts";
import {
  keyIn,
  OF_NATURE,
  hallFor,
  scrolled,
  scrollToTile,
  shownTab,
  tab,
  tiles,
  VIDEOS,
} from "../support/video-hall.ts";

const hall = hallFor("comes_back");

/** Waits until the hall has been replaced by another screen. */
async function leaveFor(page: Page, url: RegExp): Promise<void> {
  await page.waitForURL(url);
  await page.getByRole("tablist").waitFor({ state: "detached" });
}

describe("back from a video", () => {
  it("is the same tab and the same row, to the pixel", async () => {
    const { page } = hall.visitor;
    await page.goto("/Video");
    await scrollToTile(page, VIDEOS);
    const tile = tiles(page).nth(16);
    await scrollPage(page, await tile.evaluate((it) => it.getBoundingClientRect().top + window.scrollY - 301));
    const [place, { y }] = [await scrolled(page), (await tile.boundingBox())!];
    await tile.getByRole("link").click();
    await leaveFor(page, /\/PlayVideo\?id=vid_\d+/);
    await page.goBack();
    await expect.poll(() => scrolled(page)).toBe(place);
    expect(await tiles(page).count()).toBe(VIDEOS);
    expect(await tile.boundingBox()).toMatchObject({ y });
    await tab(page, "Nature").click();
    await expect.poll(() => tiles(page).count()).toBe(OF_NATURE);
    await tiles(page).nth(2).getByRole("link").click();
    await leaveFor(page, /\/PlayVideo/);
    await page.goBack();
    await expect.poll(() => tiles(page).count()).toBe(OF_NATURE);
    expect(await shownTab(page)).toBe("Nature");
  });
});

describe("the videos to continue", () => {
  it("are above all others, with their progress, and scroll without changing the tab", async () => {
    const { page, words } = hall.visitor;
    const row = page.getByRole("region", { name: words.text("hall.watching") });
    await page.goto("/Video");
    await tiles(page).first().waitFor();
    expect(await row.count()).toBe(0);
    for (const id of [3, 7, 11, 20]) await hall.member.must(setWatchPlace, { id: `vid_${id}`, position_ms: "8000" });
    // What never plays does not come to be among them.
    await page.route(/\.m4s$/, (route) => route.abort());
    await tiles(page).nth(1).getByRole("link").click();
    await leaveFor(page, /\/PlayVideo/);
    await page.goBack();
    await row.waitFor();
    const links = row.getByRole("link");
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(
      [20, 11, 7, 3].map((id) => `/PlayVideo?id=vid_${id}`),
    );
    expect(await links.first().textContent()).toMatch(words.like("hall.left"));
    const finger = await Touch.of(page);
    const { y } = (await row.boundingBox())!;
    await finger.down({ x: 330, y: y + 80 });
    await finger.by(-250, 2);
    await finger.up();
    await expect.poll(() => row.locator("ul").evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100);
    expect(keyIn(page)).toBe(null);
    await tab(page, "Nature").click();
    await row.waitFor({ state: "detached" });
  });
});
