import { describe, expect, it } from "vitest";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { Touch } from "../support/touch.ts";
import {
  activate,
  hallFor,
  keyIn,
  OF_NATURE,
  scrolled,
  scrollToTile,
  shownTab,
  tab,
  tiles,
  toEnd,
  VIDEOS,
} from "../support/video-hall.ts";

const hall = hallFor("hall_goer", { furnish: ({ server }) => operatorOf(server)("video:category", "quiet", "Quiet") });

describe("the video hall", () => {
  it("shows all videos, page by page to the end", async () => {
    const { page, words } = hall.visitor;
    const pages: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/getVideoList")) pages.push(searchParams.get("page"));
    });
    await page.goto("/Video");
    await scrollToTile(page, VIDEOS);
    await page.getByText(words.text("state.noMore")).waitFor();
    expect(await tiles(page).count()).toBe(VIDEOS);
    expect(pages).toEqual(["1", "2", "3"]);
    const links = await tiles(page)
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(new Set(links).size).toBe(VIDEOS);
    expect(await tiles(page).first().textContent()).toMatch(/0:\d\d.*0 plays/);
  });

  it("shows how much of each video is free, until a membership runs", async () => {
    const { page } = hall.visitor;
    await page.goto("/Video");
    const hint = page.locator('main a[href="/Plans"]');
    await hint.getByText("15 seconds").waitFor();
    await operatorOf(hall.server)("setting:set", "free_see_time", "20");
    await hint.getByText("20 seconds").waitFor();
    await activate(hall, "hall_goer");
    await hint.waitFor({ state: "detached" });
    await page.reload();
    await tiles(page).first().waitFor();
    expect(await hint.count()).toBe(0);
  });
});

describe("its categories", () => {
  it("are chosen by a tap, and are part of the address, which can be shared", async () => {
    const { page, words } = hall.visitor;
    await page.goto("/Video");
    await tab(page, "Nature").click();
    await expect.poll(() => tiles(page).count()).toBe(OF_NATURE);
    expect([keyIn(page), await shownTab(page)]).toEqual(["nature", "Nature"]);
    const other = await hall.visitor.device.newPage();
    await other.goto(page.url());
    await expect.poll(() => tiles(other).count()).toBe(OF_NATURE);
    expect(await shownTab(other)).toBe("Nature");
    await tab(page, words.text("hall.all")).click();
    await expect.poll(() => tiles(page).count()).toBeGreaterThan(OF_NATURE);
    expect(keyIn(page)).toBe(null);
  });

  it("are swiped, from wherever the page is, to the top of the next", async () => {
    const { page } = hall.visitor;
    await page.goto("/Video");
    await tiles(page).first().waitFor();
    const top = (await page.getByRole("tabpanel").boundingBox())!.y;
    await page.evaluate(() => window.scrollTo(0, 400));
    const finger = await Touch.of(page);
    await finger.down({ x: 330, y: 400 });
    await finger.by(-120, 4);
    // The next page slides in where it stands below the tabs, however far down the page is.
    const connection = page.locator(".swiper-slide [inert]").first();
    await expect.poll(async () => Math.round((await connection.boundingBox())!.y)).toBe(Math.round(top));
    await finger.by(-130, 4);
    await finger.up();
    await expect.poll(() => shownTab(page)).toBe("Nature");
    await expect.poll(() => keyIn(page)).toBe("nature");
    await expect.poll(() => scrolled(page)).toBe(0);
    await expect.poll(() => tiles(page).count()).toBe(OF_NATURE);
    await expect.poll(() => page.locator(".swiper-slide [inert]").count()).toBe(0);
    await finger.down({ x: 60, y: 400 });
    await finger.by(250, -4);
    await finger.up();
    await expect.poll(() => keyIn(page)).toBe(null);
  });

  it("are reached with the arrow keys, which keep the focus", async () => {
    const { page, words } = hall.visitor;
    await page.goto("/Video");
    await tab(page, words.text("hall.all")).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => keyIn(page)).toBe("nature");
    const focused = () => page.evaluate(() => document.activeElement!.textContent);
    await expect.poll(focused).toBe("Nature");
    await page.keyboard.press("End");
    await expect.poll(() => keyIn(page)).toBe("quiet");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => keyIn(page)).toBe(null);
    await expect.poll(focused).toBe(words.text("hall.all"));
    const stops = await page.getByRole("tab").evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length);
    expect(stops).toBe(1);
  });

  it("say so where they are empty; a removed one leads to all", async () => {
    const { page, words } = hall.visitor;
    await page.goto("/Video?key=quiet");
    await page.getByText(words.text("hall.none")).waitFor();
    await page.goto("/Video?key=long-gone");
    await tiles(page).first().waitFor();
    expect(await shownTab(page)).toBe(words.text("hall.all"));
  });
});

describe("a failed page of the hall", () => {
  it("leaves the loaded ones, and is retried by a tap", async () => {
    const { page } = hall.visitor;
    await page.route(/getVideoList\?.*page=2/, (route) => route.abort());
    await page.goto("/Video");
    await tiles(page).first().waitFor();
    await toEnd(page);
    await hall.visitor.button("action.retry").waitFor();
    expect(await tiles(page).count()).toBe(10);
    await page.unroute(/getVideoList\?.*page=2/);
    await hall.visitor.button("action.retry").click();
    await expect.poll(() => tiles(page).count()).toBe(20);
  });
});
