import type { Page } from "playwright-core";
import { expect } from "vitest";
import { watchPlace } from "#shared/contract/video.ts";
import type { Hall } from "./video-hall.ts";
import type { Visitor } from "./visitor.ts";

/** A film plays in its own time, and a busy machine draws it late. */
const SLOWLY = { timeout: 60_000 };

/** The state of the player on the screen; times in seconds. */
export const playerOf = (page: Page) =>
  page.evaluate(() => {
    const { currentTime, duration, paused, ended, playbackRate, muted, videoWidth } = document.querySelector("video")!;
    return { currentTime, duration, paused, ended, playbackRate, muted, videoWidth };
  });

/** Opens a video by its address, and starts it in a browser that does not autoplay. */
export async function playVideo({ page, button }: Visitor, id: string): Promise<void> {
  await page.goto(`/PlayVideo?id=${id}`);
  await page.waitForFunction(
    () => (document.querySelector("video")?.readyState ?? 0) >= HTMLMediaElement.HAVE_FUTURE_DATA,
  );
  if ((await playerOf(page)).paused) await button("player.play").click();
  await hasPlayedTo(page, 0.5);
}

/** Waits until playback has reached this second. */
export async function hasPlayedTo(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(async () => (await playerOf(page)).currentTime, { ...SLOWLY, interval: 100 })
    .toBeGreaterThanOrEqual(seconds);
  expect((await playerOf(page)).videoWidth).toBeGreaterThan(0);
}

/** Plays a video to this second and leaves it there: returns the place, which the server has. */
export async function leaveAt({ visitor, member }: Hall, id: string, seconds: number): Promise<number> {
  await playVideo(visitor, id);
  await hasPlayedTo(visitor.page, seconds);
  await visitor.page.keyboard.press("k");
  const left = (await playerOf(visitor.page)).currentTime;
  await expect.poll(async () => (await member.must(watchPlace, { id })).position_ms).toBe(Math.round(left * 1_000));
  return left;
}

/** Chooses a speed in the player's menu. */
export async function chooseSpeed({ page, words }: Visitor, times: string): Promise<void> {
  await chooseInMenu(page, words.text("player.speed"), `${times}×`);
}

/** Chooses in one of the menus over the picture. Its button appears on a tap and may hide again. */
export async function chooseInMenu(page: Page, menu: string, choice: string): Promise<void> {
  const wanted = page.getByRole("menuitemradio", { name: choice, exact: true });
  const isDone = (act: Promise<void>) =>
    act.then(
      () => true,
      () => false,
    );
  await expect
    .poll(async () => {
      if (!(await wanted.isVisible())) {
        await page.locator("video").hover({ position: { x: 20, y: 20 } });
        await isDone(page.getByRole("button", { name: menu }).click({ timeout: 3_000 }));
        await isDone(wanted.waitFor({ timeout: 3_000 }));
      }
      return isDone(wanted.click({ timeout: 3_000 }));
    }, SLOWLY)
    .toBe(true);
  await wanted.waitFor({ state: "detached" });
}
