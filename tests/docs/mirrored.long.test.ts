import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PUBLIC_LOGINS } from "#db/demo/demo.ts";
import { newDevice, openBrowser } from "../support/browser.ts";
import { MIRRORED, startMirroredSite } from "../support/mirrored-site.ts";

let site: Awaited<ReturnType<typeof startMirroredSite>>;
let page: Page;

beforeAll(async () => {
  site = await startMirroredSite();
  const visit = { lang: MIRRORED, viewport: { width: 360, height: 740 } };
  page = await (await newDevice(await openBrowser(), site.address, visit)).newPage();
  const [{ username, password } = PUBLIC_LOGINS.members[0]!] = PUBLIC_LOGINS.members;
  await page.goto("/Login");
  await page.locator("input[name=username]").fill(username);
  await page.locator("input[name=password]").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/Home/);
});
afterAll(async () => {
  await page?.context().close();
  await site?.close();
});

/** Figures with signs whose characters do not stand from left to right in the order in which they are written. */
const turnedFigures = () =>
  page.evaluate(() => {
    const all = document.createTreeWalker(document.querySelector("body")!, NodeFilter.SHOW_TEXT);
    const turned: string[] = [];
    while (all.nextNode()) {
      const node = all.currentNode as Text;
      for (const found of node.data.matchAll(/×[\d.,]*\d|\d+ ?[–/→=] ?\d+/g)) {
        const places = [0, found[0].length - 1].map((at) => {
          const range = document.createRange();
          range.setStart(node, found.index + at);
          range.setEnd(node, found.index + at + 1);
          return range.getBoundingClientRect().x;
        });
        if (places[0]! > places[1]!) turned.push(found[0]);
      }
    }
    return turned;
  });

it("odds, ranges and places run from left to right on the table and in the carousel", async () => {
  await page.goto("/Lottery?key=k3-1m");
  const figures = page.locator("main .figures", { hasText: "×" });
  await figures.first().waitFor();
  expect(await page.locator("main").innerText()).toMatch(/11–18/);
  expect(await turnedFigures()).toEqual([]);
  await page.goto("/List");
  await page.locator('main a[href*="/Profile"]').first().click();
  await page.getByText("1 / ").first().waitFor();
  expect(await turnedFigures()).toEqual([]);
});

it("the next picture comes from the left, by the arrow and by a swipe", async () => {
  const place = () => page.locator("section .figures", { hasText: " / " }).innerText();
  const number = async () => /\d+/.exec(await place())![0];
  await expect.poll(number).toBe("1");
  const slides = page.locator("section .swiper").first();
  expect(await slides.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  const { x, y, width } = (await slides.boundingBox())!;
  await page.mouse.move(x + width * 0.2, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.8, y + 60, { steps: 8 });
  await page.mouse.up();
  await expect.poll(number).toBe("2");
});

it("the wheel is the same one, and its titles begin at the rim as in every language", async () => {
  await page.goto("/luckDraw");
  const wheel = page.locator('[role="img"]', { has: page.locator("[data-angle]") });
  await wheel.waitFor();
  expect(await wheel.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
});

it("says in which language it is, and speaks it", async () => {
  await page.goto("/Setting");
  await page.locator("main h2").first().waitFor();
  expect(await page.evaluate(() => [document.documentElement.dir, document.documentElement.lang])).toEqual([
    "rtl",
    "he",
  ]);
  expect(await page.locator("body").innerText()).toMatch(/[א-ת]{3}/);
});

it("the way back points to the right, and what stood at the left stands at the right", async () => {
  await page.goto("/Setting");
  const back = page.locator("header svg").first();
  await back.waitFor();
  expect((await back.boundingBox())!.x).toBeGreaterThan(180);
  expect(await back.evaluate((arrow) => getComputedStyle(arrow).transform)).toBe("matrix(-1, 0, 0, 1, 0, 0)");
});

it("dice, amounts and the time of a video run from left to right", async () => {
  await page.goto("/Moneylog");
  const amount = page.locator("main .figures").first();
  await amount.waitFor();
  expect(await amount.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  await page.goto("/Lottery?key=k3-1m");
  const dice = page.locator('main [role="img"] svg');
  await dice.nth(2).waitFor();
  const places = await dice.evaluateAll((all) => all.slice(0, 3).map((die) => die.getBoundingClientRect().x));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  await page.goto("/Video");
  await page.locator('main a[href*="/PlayVideo"]').first().click();
  const time = page.locator("input[type=range]").first();
  await time.waitFor({ state: "attached" });
  expect(await time.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
});

it("the left arrow key goes on to the next tab, and the right one back", async () => {
  await page.goto("/Video");
  const tabs = page.getByRole("tab");
  const chosen = () => tabs.evaluateAll((all) => all.findIndex((one) => one.matches("[aria-selected=true]:focus")));
  await tabs.first().focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(chosen).toBe(1);
  await page.keyboard.press("ArrowRight");
  await expect.poll(chosen).toBe(0);
});

it("a site that was built is not built again before something changes", async () => {
  expect((await site.copy.script("prestart")).output).not.toContain("Building");
  site.copy.write("console/new.css", "main { color: red }");
  expect((await site.copy.script("prestart")).output).toContain("Building");
});
