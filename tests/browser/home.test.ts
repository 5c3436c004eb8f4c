import { join } from "node:path";
import sharp from "sharp";
import { describe, expect } from "vitest";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { worstContrast } from "../support/contrast.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const test = browserTest({
  games: [{ key: "k3-5m", name: "Five minutes", periodS: 300, closeS: 3 }],
});

/** On a wider screen the app stands in a frame. */
const FRAME = 1000;

describe("Home", () => {
  test("shows a new member the first steps until they are put away, and how to top up", async ({ visitor }) => {
    const { page, words } = visitor;
    await visitor.register("new_here");
    const steps = page
      .locator("section")
      .filter({ hasText: words.text("session.welcome").replace("{{name}}", "new_here") });
    const links = steps.getByRole("link");
    await links.first().waitFor();
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/About",
      "/Fair",
      "/Limits",
    ]);
    await page.reload();
    await steps.getByRole("button").click();
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page
      .locator('main a[href="/Recharge"]')
      .filter({ hasText: /(?<!\d)0(?!\d)/ })
      .click();
    await page.waitForURL(/\/Recharge/);
  });

  test.for(["a member", "a guest"])(
    "lays the floating links of %s into a phone's bar, or beside a desk's frame, where they cover nothing",
    async (who, { enter, come }) => {
      const { page } = who === "a guest" ? await come() : await enter("sees_all", 100);
      await page.goto("/Home");
      for (const [lang, width] of [
        ["en_us", 390],
        ["vn_vn", 360],
        ["ru_ru", 360],
        ["es_spa", 700],
        ["ko_kr", 1280],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate((code) => localStorage.setItem("viodeLang", code), lang);
        await page.goto("/Home");
        const links = page.locator("a[aria-description]");
        await expect.poll(() => links.count()).toBe(2);
        const bar = (await page.locator("header").boundingBox())!;
        const name = (await page.locator("header h1 span span, header a").last().boundingBox())!;
        const main = (await page.locator("main").boundingBox())!;
        for (const link of await links.all()) {
          const { x, y, width: wide, height } = (await link.boundingBox())!;
          const isBeside = x >= main.x + main.width && x + wide <= width;
          const isInBar = y >= bar.y && y + height <= bar.y + bar.height;
          const isBehindName = x >= name.x + name.width && x + wide <= bar.x + bar.width;
          expect(width > FRAME ? isBeside : isInBar && isBehindName).toBe(true);
        }
      }
    },
  );

  test("shows whoever was there before no first steps, but the stake on the present round, by one request for all games", async ({
    enter,
    server,
  }) => {
    const visitor = await enter("here_before", 100);
    const { page, words } = visitor;
    await visitor.openTable(30);
    await visitor.bet(["A"], 10);
    await operatorOf(server)("lottery:add", "k3-3m", "--name", "Three minutes", "--period", "180");
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/ownRounds") && asked.push(request.url()));
    const cards = page.getByRole("article").filter({ has: page.locator('a[href*="/Lottery?"]') });
    for (const path of ["/Home", "/Game"]) {
      asked.length = 0;
      await page.goto(path);
      await cards.getByText(`${words.text("own.title")}: 10`).waitFor();
      await expect.poll(() => cards.count()).toBe(2);
      // The first connection asks again for what was known before it.
      expect([...new Set(asked)]).toEqual([expect.stringMatching(/\/api\/Lottery\/ownRounds$/)]);
    }
    await page.goto("/Home");
    expect(await page.locator('main a[href="/About"]').count()).toBe(0);
  });

  test("begins with the round that waits for a draw, as Me does with its balance, and leads to its table", async ({
    enter,
  }) => {
    const visitor = await enter("has_a_bet", 100);
    const { page, words } = visitor;
    await page.goto("/Home");
    // Home and Me have been there before, and knew of no bet.
    for (const path of ["/Mine", "/Lottery?key=k3-5m"]) await walk(page, path);
    await visitor.waitForSeconds(30);
    await visitor.bet(["A"], 10);
    await walk(page, "/Home");
    const first = page.locator("main ul").first().getByRole("link").first();
    await expect.poll(() => first.textContent()).toMatch(/^Five minutes.*10.*\d\d:\d\d$/);
    await walk(page, "/Mine");
    const line = page.getByRole("link", { name: words.text("own.now") });
    await expect.poll(() => line.textContent()).toMatch(/10.*\d\d:\d\d$/);
    await line.click();
    await page.waitForURL("**/Lottery?key=k3-5m");
    await page.getByText(words.text("own.title")).first().waitFor();
  });

  test("reads a banner's caption on the brightest picture, in large text too", async ({ visitor, server }) => {
    const { page } = visitor;
    const white = join(server.folder, "white.png");
    await sharp({ create: { width: 1_080, height: 500, channels: 3, background: "#fff" } })
      .png()
      .toFile(white);
    const said = "Người mẫu & MC theo thành phố và video";
    await operatorOf(server)("banner:add", white, "--link", "/Video", "--caption", said);
    for (const [scheme, size] of [
      ["light", "100%"],
      ["dark", "200%"],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width: 360, height: 640 });
      await page.goto("/Home");
      const banner = page.getByRole("link", { name: said });
      const caption = banner.getByText(said);
      await caption.waitFor();
      await banner.locator("img").evaluate((picture: HTMLImageElement) => picture.decode());
      await page.evaluate((px) => (document.documentElement.style.fontSize = px), size);
      const [box, frame] = [(await caption.boundingBox())!, (await banner.boundingBox())!];
      expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height);
      expect(await caption.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
      expect(await worstContrast(caption)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
