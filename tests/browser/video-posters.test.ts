import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { routeOnce } from "../support/browser.ts";
import { hallFor, scrollToTile, tiles } from "../support/video-hall.ts";

const hall = hallFor("poster_goer");

/** How many of the first tiles show their poster. */
const shown = (page: Page, first = 4) =>
  tiles(page)
    .locator("img")
    .evaluateAll((all, most) => {
      const pictures = (all as HTMLImageElement[]).slice(0, most);
      return pictures.filter((one) => one.complete && one.naturalWidth > 0).length;
    }, first);

/** Counts how often the list of all videos is fetched from its beginning. */
function asked(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isAll = pathname.endsWith("/getVideoList") && !searchParams.has("id");
    if (isAll && searchParams.get("page") === "1") count++;
  });
  return () => count;
}

/** Answers as the server does, with expired addresses. */
async function answerExpired(route: Route): Promise<void> {
  const response = await route.fetch();
  const { data, ...rest } = (await response.json()) as { data: unknown };
  const old = JSON.stringify(data).replaceAll(/(\/media\/v\/\d+\.)\d+/g, `$1${Date.now() - 1}`);
  await route.fulfill({ response, json: { ...rest, data: JSON.parse(old) as unknown } });
}

describe("the posters of the video hall", () => {
  it("are shown from behind the gate, as AVIF", async () => {
    const { page } = hall.visitor;
    await page.goto("/Video");
    await expect.poll(() => shown(page)).toBe(4);
    const sources = await tiles(page)
      .locator("img")
      .evaluateAll((all) => (all as HTMLImageElement[]).slice(0, 4).map(({ currentSrc }) => currentSrc));
    for (const source of sources)
      expect(source).toMatch(/\/media\/v\/[1-9]\d*\.\d+\.[\w-]{43}\/\d+\/[0-9a-f]{32}-\d+\.avif$/);
  });

  it("whose addresses have expired reappear by themselves, and the list stays where it was", async () => {
    const { page } = hall.visitor;
    const count = asked(page);
    await routeOnce(page, /getVideoList\?.*page=1/, answerExpired);
    await page.goto("/Video");
    await tiles(page).first().waitFor();
    await expect.poll(() => shown(page)).toBe(4);
    // Fetched again; a picture under way may cause one more request.
    expect([2, 3]).toContain(count());
    await scrollToTile(page, 20);
    await expect.poll(() => shown(page, 20)).toBe(20);
    expect([2, 3]).toContain(count());
  });

  it("that cannot be shown at all leave a blur, and are not requested without end", async () => {
    const { page } = hall.visitor;
    const count = asked(page);
    await page.route(/\/media\/v\/.*\.(avif|webp)$/, (route) => route.fulfill({ status: 403, body: "" }));
    await page.goto("/Video");
    await tiles(page).first().waitFor();
    await expect.poll(() => tiles(page).locator("img").count()).toBeLessThan(7);
    const askedMore = async () => {
      const before = count();
      await page.waitForTimeout(2_000);
      return count() - before;
    };
    await expect.poll(askedMore).toBe(0);
    expect(count()).toBeLessThan(6);
  });
});
