import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { SAID, importVideos } from "../support/import-videos.ts";
import { chooseInMenu, hasPlayedTo, playerOf, playVideo } from "../support/screen-video.ts";
import type { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
const test = browserTest({
  furnish: (server) => importVideos(server, { size: "1280x720", seconds: 12 }),
}).extend("chooser", { scope: "file" }, ({ server }) => new Client(server.address).register("chooser"));
test.beforeEach(async ({ chooser, come }) => {
  visitor = await come({ token: chooser.token! });
  await playVideo(visitor, "vid_1");
});

const choose = (menu: "player.quality" | "player.captions", choice: string) =>
  chooseInMenu(visitor.page, visitor.words.text(menu), choice);

describe("a viewer", () => {
  test("chooses the size of the picture, and gets it", async () => {
    const { page } = visitor;
    await choose("player.quality", "720p");
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 0));
    await expect.poll(async () => (await playerOf(page)).videoWidth).toBe(1280);
    await choose("player.quality", "360p");
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 8));
    await expect.poll(async () => (await playerOf(page)).videoWidth).toBe(640);
  });

  test("reads captions, where there are some", async () => {
    const { page, words } = visitor;
    const shown = () =>
      page.evaluate(() => {
        const [track] = document.querySelector("video")!.textTracks;
        return [track?.mode, ...[...(track?.activeCues ?? [])].map((cue) => (cue as VTTCue).text)];
      });
    await expect.poll(shown).toEqual(["disabled"]);
    await choose("player.captions", "English");
    await hasPlayedTo(page, 1.5);
    await expect.poll(shown).toEqual(["showing", SAID]);
    await choose("player.captions", words.text("player.off"));
    await expect.poll(async () => (await shown())[0]).toBe("disabled");
    await page.keyboard.press("c");
    await expect.poll(shown).toEqual(["showing", SAID]);
  });

  test("does all by key, wherever the focus is", async () => {
    const { page } = visitor;
    const press = (key: string) => page.keyboard.press(key);
    const is = async (what: "paused" | "muted" | "playbackRate", wanted: boolean | number) => {
      await expect.poll(async () => (await playerOf(page))[what]).toBe(wanted);
    };
    await press("k");
    await is("paused", true);
    await press("ArrowRight");
    await expect.poll(async () => (await playerOf(page)).currentTime).toBeGreaterThan(10);
    await press("j");
    await expect.poll(async () => (await playerOf(page)).currentTime).toBeLessThan(3);
    for (const _ of [1, 2, 3]) await press(">");
    await is("playbackRate", 2);
    await press("<");
    await is("playbackRate", 1.5);
    await press("m");
    await is("muted", true);
    await press("Space");
    await is("paused", false);
  });

  test("fills the screen and comes back", async () => {
    const { page, button } = visitor;
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await page.keyboard.press("f");
    await expect.poll(isFull).toBe(true);
    await expect
      .poll(async () => {
        await page.locator("video").hover({ position: { x: 20, y: 20 } });
        return button("player.leaveFull").isVisible();
      })
      .toBe(true);
    await button("player.leaveFull").click();
    await expect.poll(isFull).toBe(false);
  });

  test("seeks by double taps, and shows the controls by one tap", async () => {
    const { page, button } = visitor;
    const { x, y, width, height } = (await page.locator("video").boundingBox())!;
    const tap = (part: number) => page.touchscreen.tap(x + width * part, y + height * 0.25);
    await page.keyboard.press("k");
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 0));
    // Both are on their way at once: two answers of a busy browser may be further apart than a double tap.
    const doubleTap = (part: number) => Promise.all([tap(part), tap(part)]);
    await doubleTap(0.9);
    await expect.poll(async () => (await playerOf(page)).currentTime).toBe(10);
    await page.waitForTimeout(400);
    await doubleTap(0.1);
    await expect.poll(async () => (await playerOf(page)).currentTime).toBe(0);
    await page.evaluate(() => void document.querySelector("video")!.play());
    await button("player.mute").waitFor({ state: "hidden" });
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 0));
    await tap(0.5);
    await button("player.mute").waitFor({ state: "visible" });
    expect((await playerOf(page)).paused).toBe(false);
    // And they hide again by themselves.
    await button("player.mute").waitFor({ state: "hidden" });
  });

  test("shows every control on a phone that lies on its side, and the whole speed menu", async () => {
    const { page, words, button } = visitor;
    await page.setViewportSize({ width: 844, height: 390 });
    await page.evaluate(() => document.querySelector("video")!.pause());
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const key of ["player.mute", "player.full"] as const)
      await expect.poll(() => button(key).evaluate((it) => it.getBoundingClientRect().bottom)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole("button", { name: words.text("player.speed") }).click();
    const [menu, stage] = [await page.getByRole("menu").boundingBox(), await page.locator("video").boundingBox()];
    expect(menu!.y).toBeGreaterThanOrEqual(stage!.y);
    await page.keyboard.press("Escape");
  });

  test("opens a menu by an arrow key, closes it by its own button, and is back on that", async () => {
    const { page, words } = visitor;
    await page.evaluate(() => document.querySelector("video")!.pause());
    const speed = page.getByRole("button", { name: words.text("player.speed") });
    const menu = page.getByRole("menu", { name: words.text("player.speed") });
    const isOn = () => speed.evaluate((button) => button === document.activeElement);
    await speed.focus();
    await page.keyboard.press("ArrowUp");
    await menu.waitFor();
    expect(await speed.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await expect.poll(isOn).toBe(true);
    await speed.click();
    await menu.waitFor();
    await speed.click();
    await menu.waitFor({ state: "detached" });
    await expect.poll(isOn).toBe(true);
    expect(await speed.getAttribute("aria-expanded")).toBe("false");
    // No press went through to the picture.
    expect((await playerOf(page)).paused).toBe(true);
  });

  test("seeks to any place on the timeline, which shows the time there", async () => {
    const { page, words } = visitor;
    const line = page.getByRole("slider", { name: words.text("player.seek") });
    await page.locator("video").hover({ position: { x: 20, y: 20 } });
    await line.focus();
    await page.evaluate(() => document.querySelector("video")!.pause());
    await line.fill("6");
    await expect.poll(async () => (await playerOf(page)).currentTime).toBe(6);
    await expect.poll(() => line.getAttribute("aria-valuetext")).toBe("0:06 of 0:12");
    // The timeline has the focus, and takes no key but its own.
    await page.keyboard.press("m");
    await expect.poll(async () => (await playerOf(page)).muted).toBe(true);
  });
});
