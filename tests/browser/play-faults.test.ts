import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { setWatchPlace } from "#shared/contract/video.ts";
import { activate, hallFor } from "../support/video-hall.ts";
import { hasPlayedTo, playerOf } from "../support/screen-video.ts";

const VIDEO = "/PlayVideo?id=vid_5";
const PIECES = /\/media\/v\/.*\.m4s/;

const hall = hallFor("patient_one", { furnish: (made) => activate(made, "patient_one") });

const signatureIn = (route: Route) => /\/media\/v\/([^/]+)/.exec(route.request().url())![1]!;

describe("a video on a bad connection", () => {
  it("requests with the newest signature, without a restart", async () => {
    const { page } = hall.visitor;
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route(PIECES, async (route) => {
      asked.push(signatureIn(route));
      if (asked.length === 2) await gate.promise;
      await route.continue();
    });
    let lists = 0;
    page.on("request", (request) => (lists += request.url().endsWith(".m3u8") ? 1 : 0));
    await page.goto(VIDEO);
    await expect.poll(() => asked.length).toBe(2);
    const listsBefore = lists;
    // A visitor who returns to the tab gets a new address.
    const renewed = page.waitForResponse(/getVideoInfo\?/);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await renewed;
    gate.resolve();
    await expect.poll(() => asked.length).toBeGreaterThan(4);
    expect(asked[0]).toBe(asked[1]);
    expect(asked.at(-1)).not.toBe(asked[0]);
    expect(new Set(asked).size).toBe(2);
    expect(lists).toBe(listsBefore);
  });

  it.each([
    ["its signature was refused", 403],
    ["the server was busy", 503],
  ])("resumes by itself, and begins where it was left, when %s", async (_, status) => {
    const { page } = hall.visitor;
    await hall.member.must(setWatchPlace, { id: "vid_5", position_ms: "9000" });
    let isFirst = true;
    const good: string[] = [];
    await page.route(PIECES, async (route) => {
      if (!isFirst) good.push(signatureIn(route));
      if (!isFirst) return route.continue();
      isFirst = false;
      return route.fulfill({ status, body: "" });
    });
    await page.goto(VIDEO);
    await expect.poll(() => good.length).toBeGreaterThan(0);
    if ((await playerOf(page)).paused) await hall.visitor.button("player.play").click();
    await hasPlayedTo(page, 10);
    expect(await page.evaluate(() => document.querySelector("video")!.played.start(0))).toBeGreaterThan(8);
  });

  it("says that it is stuck, and resumes at the same place on request", async () => {
    const { page, words, button } = hall.visitor;
    let isCut = false;
    await page.route(/\/media\/v\/|getVideoInfo/, (route) => (isCut ? route.abort() : route.continue()));
    const held = Promise.withResolvers<void>();
    let pieces = 0;
    await page.route(PIECES, async (route) => {
      if (++pieces > 2) {
        await held.promise;
        if (isCut) return route.abort();
      }
      return route.continue();
    });
    await page.goto(VIDEO);
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 3);
    if ((await playerOf(page)).paused) await button("player.play").click();
    await hasPlayedTo(page, 3);
    isCut = true;
    held.resolve();
    await page.getByText(words.text("player.broken")).waitFor({ timeout: 60_000 });
    const { currentTime } = await playerOf(page);
    // Everything loaded has been played by then: the first two segments, of four seconds each.
    expect(currentTime).toBeGreaterThan(7);
    isCut = false;
    await button("action.retry").click();
    await hasPlayedTo(page, currentTime + 1);
    expect(await page.getByText(words.text("player.broken")).count()).toBe(0);
  });
});
