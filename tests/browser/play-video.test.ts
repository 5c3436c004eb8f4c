import { describe, expect, it } from "vitest";
import { activate, hallFor, tiles } from "../support/video-hall.ts";
import { chooseSpeed, hasPlayedTo, leaveAt, playerOf, playVideo } from "../support/screen-video.ts";

const VIDEO = "vid_5";

const hall = hallFor("film_lover", { furnish: (made) => activate(made, "film_lover") });

const dialog = () => hall.visitor.page.getByRole("dialog");

describe("a member", () => {
  it("watches past 20 seconds at speed 2, to the end, and is led to the next video", async () => {
    const { page, button } = hall.visitor;
    await playVideo(hall.visitor, VIDEO);
    await chooseSpeed(hall.visitor, "2");
    await expect.poll(async () => (await playerOf(page)).playbackRate).toBe(2);
    await hasPlayedTo(page, 20);
    expect(await dialog().count()).toBe(0);
    await button("player.nextNow").click();
    await page.waitForURL((url) => url.searchParams.get("id") !== VIDEO);
    await expect.poll(async () => (await playerOf(page)).currentTime).toBeLessThan(5);
    await hasPlayedTo(page, 0.5);
    // As fast as the one before.
    expect((await playerOf(page)).playbackRate).toBe(2);
  });

  it("stays at the end if so chosen, and may see it again", async () => {
    const { page, words, button } = hall.visitor;
    await playVideo(hall.visitor, VIDEO);
    await page.keyboard.press("l");
    await page.keyboard.press("l");
    await page.getByText(words.text("player.next")).waitFor();
    await button("player.stay").click();
    await page.waitForTimeout(5_500);
    expect(new URL(page.url()).searchParams.get("id")).toBe(VIDEO);
    await button("player.play").click();
    await expect.poll(async () => (await playerOf(page)).currentTime).toBeLessThan(5);
    expect((await playerOf(page)).paused).toBe(false);
  });

  it("goes to a chapter by a tap, and sees which one is playing and where the others begin", async () => {
    const { page, words } = hall.visitor;
    await playVideo(hall.visitor, "vid_10");
    await page.keyboard.press("k");
    const list = page.getByRole("region", { name: words.text("player.chapters") });
    const playing = () => list.locator("[aria-current=true]").innerText();
    await list.getByRole("button", { name: "0:00" }).click();
    await expect.poll(playing).toMatch(/^0:00/);
    await list.getByRole("button", { name: "0:16" }).click();
    await expect.poll(async () => (await playerOf(page)).currentTime).toBe(16);
    await expect.poll(playing).toMatch(/^0:16/);
    const line = page.getByRole("slider", { name: words.text("player.seek") });
    expect(await line.getAttribute("aria-valuetext")).toBe("0:16 of 0:28 · The star once more");
    const { x, width } = (await line.boundingBox())!;
    const marks = await page
      .locator("[data-chapter]")
      .evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect()).map((box) => box.x + box.width / 2));
    expect(marks.map((mark) => Math.round(((mark - x) / width) * 28))).toEqual([4, 12, 16, 24]);
  });

  it("resumes where they left it, from the hall", async () => {
    const { page, words } = hall.visitor;
    const left = await leaveAt(hall, "vid_7", 7);
    await page.goto("/Video");
    const row = page.getByRole("region", { name: words.text("hall.watching") });
    await row.getByRole("link").first().click();
    // A video plays by itself after a tap on it.
    await hasPlayedTo(page, left + 0.5);
    expect((await playerOf(page)).paused).toBe(false);
  });

  it("comes from the hall and finds the way back to it over other videos", async () => {
    const { page, button } = hall.visitor;
    await page.goto("/Video");
    await tiles(page).first().getByRole("link").click();
    await page.waitForURL(/PlayVideo/);
    const first = page.url();
    await page.locator("video").waitFor();
    await page.locator("main ul").last().getByRole("link").first().click();
    await page.waitForURL((url) => url.href !== first);
    await hasPlayedTo(page, 0.5);
    await button("action.back").click();
    await tiles(page).first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/Video");
  });

  it("is told of an unknown video", async () => {
    const { page, words } = hall.visitor;
    for (const id of ["vid_999", "x", ""]) {
      await page.goto(`/PlayVideo?id=${id}`);
      await page.getByText(words.text("player.gone")).waitFor();
      expect(await page.locator("video").count()).toBe(0);
    }
  });
});
