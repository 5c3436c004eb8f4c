import type { Page } from "playwright-core";

/** Members look around before they tap. */
const LOOK_MS = 2_000;

/** Measures a tap on a tile until the video shows its first frame, in ms. */
export async function tapTile(page: Page, hall: string, id: string): Promise<number> {
  await page.goto(hall);
  const link = `a[href$="id=${id}"]`;
  await page.locator(link).first().waitFor();
  await page.waitForTimeout(LOOK_MS);
  return page.evaluate(tapAndWatch, link);
}

/** Runs in the page. */
function tapAndWatch(link: string): Promise<number> {
  return new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      const video = document.querySelector("video");
      if (!video) return;
      watcher.disconnect();
      video.requestVideoFrameCallback(() => resolve(performance.now() - begunMs));
    });
    watcher.observe(document, { childList: true, subtree: true });
    const begunMs = performance.now();
    document.querySelector<HTMLElement>(link)!.click();
  });
}

/** A page with nothing but a video. It measures from its navigation. */
export const plainPage = (src: string): string =>
  `<!doctype html><title>plain</title><video autoplay playsinline src="${src}"></video>
<script>document.querySelector("video").requestVideoFrameCallback(() => (window.seenMs = performance.now()))</script>`;

/** Navigates from an empty page to such a page on the same server. Returns the time to its first frame, in ms. */
export async function playPlainly(page: Page, server: string, path: string): Promise<number> {
  await page.goto(server);
  await page.waitForTimeout(LOOK_MS);
  await page.goto(server + path);
  const seen = await page.waitForFunction(() => (window as { seenMs?: number }).seenMs);
  return (await seen.jsonValue())!;
}
