import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { layersInHistory, standsStill } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { INVITE } from "../support/server-process.ts";
import { Touch } from "../support/touch.ts";
import type { Visitor } from "../support/visitor.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const test = browserTest({
  env: { DEMO: "1" },
  furnish: async (server) => {
    await operatorOf(server)("invite:add", INVITE);
  },
});

let visitor: Visitor;
let page: Page;

let username: string;
let visits = 0;

test.beforeEach(async ({ enter }) => {
  username = `layers_${++visits}`;
  visitor = await enter(username, 2_000);
  ({ page } = visitor);
  await page.goto("/About");
});

/** Whatever lies over a screen. */
const layers = () => page.locator('[role="dialog"], [role="menu"]');
const button = (name: Parameters<Visitor["words"]["like"]>[0]) =>
  page.getByRole("button", { name: visitor.words.like(name) }).first();
const hasFocus = (it: Locator) => it.evaluate((element) => element === document.activeElement);
const pathNow = () => new URL(page.url()).pathname;

/** Opens a layer over a screen that has /About behind it. */
async function openOver(address: string, opener: Locator): Promise<void> {
  await page.goto(address);
  await opener.press("Enter");
  await layers().first().waitFor();
  await layersInHistory(page, 1);
}

const areGone = async () => {
  await expect.poll(() => layers().count()).toBe(0);
};

/** Back now leaves the screen: nothing of the layers is left in the history. */
async function expectNothingBehind(): Promise<void> {
  await page.goBack();
  await page.waitForURL(/\/About/);
}

/** Every kind of opening: its screen, and what is tapped. */
const OPENERS: [address: string, opener: () => Locator][] = [
  ["/nHomeList", () => button("listing.filter")],
  ["/Home", () => button("city.pick")],
  ["/Infomation", () => page.locator("main").getByRole("button").first()],
  ["/Plans", () => button("plan.buy")],
  ["/Limits", () => page.locator('main [role="group"] button').first()],
  ["/Setting", () => button("session.logout")],
  ["/Lottery?key=k3-1m&id=lot_1", () => button("guide.title")],
  ["/PlayVideo?id=vid_1", () => button("player.speed")],
  ["/nHomeDetail?id=lst_1", () => page.locator("main section button").first()],
  ["/Gallery", () => page.locator("main li button").first()],
];

describe("Back", () => {
  test.for(OPENERS)("on %s closes what is open and stays there", async ([address, opener]) => {
    await openOver(address, opener());
    await page.goBack();
    await areGone();
    expect(pathNow()).toBe(address.replace(/\?.*/, ""));
    await expect.poll(() => hasFocus(opener())).toBe(true);
    await expectNothingBehind();
  });

  test("takes a prize as OK does, and leads to the wheel", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/luckDraw");
    const go = visitor.button("wheel.go");
    await expect.poll(() => go.getAttribute("aria-disabled")).not.toBe("true");
    await go.press("Enter");
    await layers().waitFor();
    await layersInHistory(page, 1);
    await page.goBack();
    await areGone();
    expect(pathNow()).toBe("/luckDraw");
    await expectNothingBehind();
  });

  test("on the first visit takes the language that its question is asked in", async () => {
    await page.evaluate(() => localStorage.removeItem("viodeLang"));
    await page.goto("/Fair");
    await layers().getByRole("radio", { name: "한국어" }).check({ force: true });
    await layersInHistory(page, 1);
    await page.goBack();
    await areGone();
    expect(pathNow()).toBe("/Fair");
    await expect
      .poll(() => page.evaluate(() => [localStorage.getItem("viodeLang"), document.documentElement.lang]))
      .toEqual(["ko_kr", "ko"]);
    await expectNothingBehind();
  });

  test("closes one sheet after the other, and stays where the screen was scrolled to", async () => {
    const opener = page.locator('main [role="group"] button').first();
    await page.goto("/Limits");
    await opener.scrollIntoViewIfNeeded();
    const top = await page.evaluate(() => window.scrollY);
    for (const _ of [1, 2]) {
      await page.locator('main [role="group"] button').first().click();
      await layers().waitFor();
      await layersInHistory(page, 1);
      await page.goBack();
      await areGone();
    }
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
    await expectNothingBehind();
  });

  test("from the screen that a sheet led to shows the screen below the sheet", async ({ server }) => {
    await operatorOf(server)("member:activate", username, "--days", "30");
    await openOver("/Home", button("city.pick"));
    await layers().locator("li button").first().click();
    await page.waitForURL(/\/List/);
    await areGone();
    await page.goBack();
    await page.waitForURL(/\/Home/);
    await areGone();
    await expectNothingBehind();
  });

  test.for<[address: string, opener: () => Locator]>([
    ["/Setting", () => button("session.logout")],
    ["/nHomeDetail?id=lst_1", () => page.locator("main section button").first()],
  ])("after a reload of %s leaves the screen, which has nothing open any more", async ([address, opener]) => {
    await openOver(address, opener());
    await page.reload();
    await page.locator("h1").first().waitFor();
    await areGone();
    await expectNothingBehind();
  });

  test("after a reload has nothing open, however late the browser leaves the picture's entry", async () => {
    await openOver("/nHomeDetail?id=lst_1", page.locator("main section button").first());
    await page.addInitScript(() => {
      // Chromium's own way back, half a second late.
      const { traverseTo } = Navigation.prototype;
      Navigation.prototype.traverseTo = function late(key) {
        setTimeout(() => traverseTo.call(this, key), 500);
        return {};
      };
    });
    // The screen renders once that is done.
    await page.route("**/api/xuanfei/xuanfeidata?**", async (route) => {
      await page.waitForURL(/id=lst_1$/);
      await route.continue();
    });
    await page.reload();
    await page.locator("main section button").first().waitFor();
    await areGone();
    await layersInHistory(page, 0);
  });

  test("from the picture of a shared address shows its screen, and from there what was before", async () => {
    await page.goto("/nHomeDetail?id=lst_1&view=0");
    await layers().waitFor();
    await layersInHistory(page, 1);
    await page.goBack();
    await areGone();
    expect(new URL(page.url()).search).toBe("?id=lst_1");
    await expectNothingBehind();
  });
});

/** Drags the bar of the open sheet by so many pixels. */
async function dragSheet(way: number): Promise<void> {
  await standsStill(layers());
  const { x, y, width } = (await layers().boundingBox())!;
  const finger = await Touch.of(page);
  await finger.down({ x: x + width / 2, y: y + 12 });
  await finger.by(0, way);
  await finger.up();
}

describe("a sheet", () => {
  test.for<[way: string, close: () => Promise<void>]>([
    ["its cross", () => visitor.button("action.close").click()],
    ["Escape", () => page.keyboard.press("Escape")],
    ["a drag", () => dragSheet(300)],
  ])("closed by %s leaves nothing in the history", async ([, close]) => {
    await openOver("/nHomeList", button("listing.filter"));
    await close();
    await areGone();
    await expect.poll(() => hasFocus(button("listing.filter"))).toBe(true);
    await layersInHistory(page, 0);
    await expectNothingBehind();
  });

  test("springs back when it is hardly dragged", async () => {
    await openOver("/nHomeList", button("listing.filter"));
    await standsStill(layers());
    const before = (await layers().boundingBox())!.y;
    const finger = await Touch.of(page);
    await finger.down({ x: 195, y: before + 12 });
    await finger.by(0, 40);
    await expect.poll(async () => (await layers().boundingBox())!.y).toBe(before + 40);
    await finger.by(0, -36);
    await finger.up();
    await expect.poll(async () => (await layers().boundingBox())!.y).toBe(before);
  });
});
