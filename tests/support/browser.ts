import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Route } from "playwright-core";
import { ROWS } from "#client/routes.tsx";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";

export const PHONE = { width: 390, height: 844 };

/** How long a screen may take on a busy machine. */
const PATIENCE_MS = 60_000;

export interface Visit {
  /** The stored `viodeLang`; null shows the first language picker. */
  lang?: string | null;
  token?: string;
  /** Nobody has seen a table on this device: it explains itself. */
  isNew?: boolean;
  theme?: "light" | "dark";
  viewport?: { width: number; height: number };
  /** How far the device's clock is off, in ms. */
  clockOffMs?: number;
}

let launched: Promise<Browser> | undefined;

/**
 * The browser of this process. Its test files use it one after another, because each start costs seconds. Playwright
 * ends it with the process.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await launched)?.isConnected())
    launched = chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  return launched!;
}

/** Closes every page, so that none goes on beside the next file's tests. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((device) => device.close()));
}

/** A new device: it shares no storage with any other. */
export async function newDevice(browser: Browser, address: string, visit: Visit = {}): Promise<BrowserContext> {
  const { lang = "en_us", token, isNew = false, theme = "light", viewport = PHONE, clockOffMs = 0 } = visit;
  const context = await browser.newContext({
    baseURL: address,
    viewport,
    colorScheme: theme,
    deviceScaleFactor: 2,
    hasTouch: viewport.width < 600,
    locale: "en-US",
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(
    ({ lang, token, isNew }) => {
      // A blank page has no storage, nor may a frame of another site.
      if (window.origin === "null" || window !== window.top || sessionStorage.getItem("isSetUp")) return;
      sessionStorage.setItem("isSetUp", "1");
      if (lang) localStorage.setItem("viodeLang", lang);
      if (token) localStorage.setItem("token", token);
      if (!isNew) localStorage.setItem("tableTold", "yes");
    },
    { lang, token, isNew },
  );
  if (clockOffMs) {
    await context.addInitScript((off) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + off;
    }, clockOffMs);
  }
  return context;
}

const screenAt = (pathname: string) => ROWS.find(({ path }) => path === pathname)?.load ?? pathname;

/** Goes to another screen as the app's links do, without loading the app again, and waits until the screen is there. */
export async function walk(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(page.url());
  // A screen that only gets another query, or another of its addresses, is not made anew.
  if (screenAt(new URL(path, page.url()).pathname) === screenAt(pathname))
    await walk(page, pathname === "/About" ? "/Fair" : "/About");
  const from = await page.evaluate(() => {
    for (const heading of document.querySelectorAll("h1")) heading.dataset.left = "";
    return window.location.href;
  });
  // A notification leads there, past the entries of whatever is open over the screen or is just closing. The page hears
  // of one as soon as all of it has started.
  await page.waitForFunction(
    ({ path, from }) => {
      navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: { path } }));
      return window.location.href !== from;
    },
    { path, from },
    { polling: 20 },
  );
  await page.locator("h1:not([data-left])").first().waitFor();
}

/** Waits until an element that slides or fades stands still. */
export async function standsStill(element: Locator): Promise<void> {
  await element.page().waitForFunction(
    // Before its first frame it waits at where it comes from.
    (it) => !it.matches("[data-starting-style], [data-ending-style]") && it.getAnimations().length === 0,
    await element.elementHandle(),
  );
}

/**
 * Waits until the history holds so many entries of open sheets, menus and pictures. Each comes, and goes, a moment after
 * what it belongs to, and no finger is as fast as a test that goes back.
 */
export async function layersInHistory(page: Page, count: number): Promise<void> {
  await page.waitForFunction((n) => ((history.state as { layers?: number } | null)?.layers ?? 0) === n, count);
}

/** Scrolls the page, and waits until the app has heard of it, because it notes the place. */
export const scrollPage = (page: Page, top: number): Promise<void> =>
  page.evaluate(async (top) => {
    const scrolled = new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
    window.scrollTo(0, top);
    await scrolled;
  }, top);

/** Everything that went wrong in a page: exceptions, and what the browser refused under the page's policy. */
export function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const output = message.text();
    // The test cut this connection on purpose.
    if (!/Failed to load resource|WebSocket connection|net::ERR/.test(output)) faults.push(output);
  });
  return faults;
}

/**
 * Handles the first request to `url`; the others go on. Playwright's `times: 1` stops intercepting while that request is
 * still held, and the browser may then send it after all.
 */
export async function routeOnce(page: Page, url: string | RegExp, handle: (route: Route) => Promise<void>) {
  let isFirst = true;
  await page.route(url, (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return handle(route);
  });
}
