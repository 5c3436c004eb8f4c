import { describe, expect, it } from "vitest";
import { holdLibraries, once, timesOf } from "../support/first-answers.ts";
import { hasPlayedTo, leaveAt, playerOf, playVideo } from "../support/screen-video.ts";
import { activate, hallFor, tiles } from "../support/video-hall.ts";

const hall = hallFor("comes_to_watch", { furnish: (made) => activate(made, "comes_to_watch") });

describe("beside its scripts, and once,", () => {
  it("the player asks for its video and picture, the place to go on and what comes next", async () => {
    const { page } = hall.visitor;
    const calls = ["/api/video/getVideoInfo", "/api/video/place", "/api/video/getVideoInfoItem"];
    const first = [...calls, /^\/media\/v\/.+-\d+\.webp$/];
    const asked = await holdLibraries(page, first);
    await playVideo(hall.visitor, "vid_5");
    expect(timesOf(asked, first)).toEqual(once(first));
  });

  it("the hall asks for its tabs, its list and what was begun", async () => {
    const { page } = hall.visitor;
    const first = ["/api/video/itemlist", "/api/video/getVideoList", "/api/video/watching"];
    const asked = await holdLibraries(page, first);
    await page.goto("/Video");
    await tiles(page).first().locator("img").waitFor();
    // The list fetches its next page ahead.
    expect(timesOf(asked, first)).toEqual([...once(first.slice(0, 1)), [first[1], 2], [first[2], 1]]);
  });
});

it("a video that was left on its first visit goes on from there, without a new page", async () => {
  const { page, words } = hall.visitor;
  const left = await leaveAt(hall, "vid_7", 7);
  await page.getByRole("button", { name: words.text("action.back"), exact: true }).click();
  await page.locator('a[href="/Video"]').first().click();
  const row = page.getByRole("region", { name: words.text("hall.watching") });
  await row.getByRole("link").first().click();
  await hasPlayedTo(page, left + 0.5);
  expect((await playerOf(page)).paused).toBe(false);
});
