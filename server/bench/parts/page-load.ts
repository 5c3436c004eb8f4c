import type { Browser, Page } from "playwright-core";

export interface Load {
  largestPaintMs: number;
  /** Compressed bytes of the scripts that had loaded at the largest paint, and of all scripts. */
  firstScriptBytes: number;
  scriptBytes: number;
  shift: number;
  tapDelayMs: number;
}

/** What Lighthouse calls slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const SLOW_4G = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 };
const SLOWER = 4;
/** Nothing larger is painted after this. */
const SETTLED_MS = 2_500;

interface Seen {
  paint: number;
  shift: number;
  tap: number;
}

/** Opens a page with an empty cache, on a slow phone and network, and measures its load. */
export async function loadPage(browser: Browser, url: string, { lang }: { lang?: string }): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", SLOW_4G);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const scripts = new Map<string, { bytes: number; endedAt: number }>();
  let begunAt = 0;
  const kinds = new Set<string>();
  cdp.on("Network.requestWillBeSent", ({ requestId, type, timestamp }) => {
    begunAt ||= timestamp;
    if (type === "Script") kinds.add(requestId);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    if (kinds.has(requestId))
      scripts.set(requestId, { bytes: encodedDataLength, endedAt: (timestamp - begunAt) * 1000 });
  });
  if (lang) await page.addInitScript((lang) => localStorage.setItem("viodeLang", lang), lang);
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(SETTLED_MS);
  const seen = await tapAndRead(page);
  await context.close();
  const came = [...scripts.values()];
  const sum = (some: typeof came) => some.reduce((total, { bytes }) => total + bytes, 0);
  return {
    largestPaintMs: seen.paint,
    firstScriptBytes: sum(came.filter(({ endedAt }) => endedAt <= seen.paint)),
    scriptBytes: sum(came),
    shift: seen.shift,
    tapDelayMs: seen.tap,
  };
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const seen: Seen = { paint: 0, shift: 0, tap: 0 };
  Object.assign(window, { seen });
  const observe = (type: string, see: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => (seen.paint = startTime));
  observe("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shift += value;
  });
  observe("first-input", (entry) => {
    const { startTime, processingStart } = entry as PerformanceEventTiming;
    seen.tap = processingStart - startTime;
  });
}

async function tapAndRead(page: Page): Promise<Seen> {
  await page.touchscreen.tap(195, 300);
  await page.waitForTimeout(500);
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}
