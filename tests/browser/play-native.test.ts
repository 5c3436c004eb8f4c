import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setWatchPlace } from "#shared/contract/video.ts";
import { launchBrowser } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { desk } from "../support/desk.ts";
import { openHall } from "../support/hall.ts";
import { hasPlayedTo, playerOf, playVideo } from "../support/screen-video.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
let member: Client;
let visitor: Visitor;
beforeAll(async () => {
  [browser, { server, member }] = await Promise.all([launchBrowser(), openHall("old_phone")]);
  await desk(server)("member:activate", "old_phone", "--days", "30");
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
const come = async ({ token }: Client) => {
  visitor = await Visitor.come(browser, server.address, { token: token! });
  await visitor.device.addInitScript(() => {
    for (const name of ["MediaSource", "ManagedMediaSource"]) delete (globalThis as Record<string, unknown>)[name];
  });
};
beforeEach(() => come(member));
afterEach(async () => {
  if (visitor.faults.length > 0) throw new Error(visitor.faults.join("\n"));
  await visitor.close();
});

describe("a browser that plays playlists by itself", () => {
  it("begins where it was left, and stays there with a new address", async () => {
    const { page } = visitor;
    await member.must(setWatchPlace, { id: "vid_5", position_ms: "8000" });
    await playVideo(visitor, "vid_5");
    expect(await page.evaluate(() => document.querySelector("video")!.src)).toContain("/media/v/");
    await hasPlayedTo(page, 9);
    const renewed = page.waitForResponse(/getVideoInfo\?/);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await renewed;
    await hasPlayedTo(page, 11);
    expect((await playerOf(page)).currentTime).toBeLessThan(20);
    expect((await playerOf(page)).paused).toBe(false);
  });

  it("is stopped where the preview ends, and goes on from there with a membership", async () => {
    await visitor.close();
    const guest = await new Client(server.address).register("old_guest");
    await come(guest);
    const { page, words } = visitor;
    await playVideo(visitor, "vid_6");
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 13));
    await page
      .getByRole("dialog")
      .filter({ hasText: words.text("player.offerTitle") })
      .waitFor();
    expect((await playerOf(page)).paused).toBe(true);
    await desk(server)("member:activate", "old_guest", "--days", "30");
    await hasPlayedTo(page, 17);
    expect((await playerOf(page)).paused).toBe(false);
  });
});
