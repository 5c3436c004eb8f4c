import { beforeEach, describe, expect, it } from "vitest";
import { setWatchPlace } from "#shared/contract/video.ts";
import { Client } from "../support/client.ts";
import { activate, hallFor, visit } from "../support/video-hall.ts";
import { hasPlayedTo, playerOf, playVideo } from "../support/screen-video.ts";

const hall = hallFor("old_phone", { furnish: (made) => activate(made, "old_phone") });
const takeMediaSource = () =>
  hall.visitor.device.addInitScript(() => {
    for (const name of ["MediaSource", "ManagedMediaSource"]) delete (globalThis as Record<string, unknown>)[name];
  });
beforeEach(takeMediaSource);

describe("a browser that plays playlists natively", () => {
  it("begins where it was left, and stays there with a new address", async () => {
    const { page } = hall.visitor;
    await hall.member.must(setWatchPlace, { id: "vid_5", position_ms: "8000" });
    await playVideo(hall.visitor, "vid_5");
    expect(await page.evaluate(() => document.querySelector("video")!.src)).toContain("/media/v/");
    await hasPlayedTo(page, 9);
    const renewed = page.waitForResponse(/getVideoInfo\?/);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await renewed;
    await hasPlayedTo(page, 11);
    expect((await playerOf(page)).currentTime).toBeLessThan(20);
    expect((await playerOf(page)).paused).toBe(false);
  });

  it("is stopped where the preview ends, and resumes from there with a membership", async () => {
    await hall.visitor.close();
    const guest = await new Client(hall.server.address).register("old_guest");
    await visit(hall, guest);
    await takeMediaSource();
    const { page, words } = hall.visitor;
    await playVideo(hall.visitor, "vid_6");
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 13));
    await page
      .getByRole("dialog")
      .filter({ hasText: words.text("player.offerTitle") })
      .waitFor();
    await expect.poll(async () => (await playerOf(page)).paused).toBe(true);
    await activate(hall, "old_guest");
    await hasPlayedTo(page, 17);
    expect((await playerOf(page)).paused).toBe(false);
  });
});
