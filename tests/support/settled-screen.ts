import type { Page } from "playwright-core";
import { walk } from "./browser.ts";

/** Goes to a screen and waits until its content is there. */
export async function show(page: Page, path: string): Promise<void> {
  await walk(page, path);
  await settle(page);
}

/** Waits until nothing changes and nothing is awaited. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => {
    performance.clearResourceTimings();
    (window as Watched).quietSince = performance.now();
  });
  await page.waitForFunction(hasSettled, undefined, { polling: 50 });
}

interface Watched extends Window {
  quietSince?: number;
  answers?: number;
}

/** Whether nothing has changed, and nothing was awaited, during the last fifth of a second. A theme changes colours, some with a transition. */
function hasSettled(): boolean {
  const watched = window as Watched;
  const answers = performance.getEntriesByType("resource").length;
  const isTurning = document
    .getAnimations()
    .some((one) => one instanceof CSSTransition && one.playState !== "finished");
  const isBusy = isTurning || document.querySelector('[aria-busy="true"]') !== null;
  if (isBusy || answers !== watched.answers) watched.quietSince = performance.now();
  watched.answers = answers;
  return performance.now() - (watched.quietSince ?? 0) > 200;
}

/** What reaches beyond either edge, except in scrollable parts, in what only screen readers get, and in dice that come flying in; and the page itself, if it can be moved aside. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isTooWide = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const isBeyond = width > 0 && (left < -1 || right > edge + 1);
      return isBeyond && !element.closest("ol, .swiper, .sr-only, .animate-roll, [class*=overflow-x]");
    };
    const wide = [...document.querySelectorAll("#root *")]
      .filter(isTooWide)
      .map((element) => element.outerHTML.slice(0, 120));
    const { scrollWidth } = document.documentElement;
    return scrollWidth > edge ? [...wide, `the page is ${scrollWidth} px wide`] : wide;
  });
}
