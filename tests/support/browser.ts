import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";

export const PHONE = { width: 390, height: 844 };

export interface Visit {
  /** The stored `viodeLang`; null shows the first language picker. */
  lang?: string | null;
  token?: string;
  theme?: "light" | "dark";
  viewport?: { width: number; height: number };
  /** How far the device's clock is off, in ms. */
  clockOffMs?: number;
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });

/** A new device: it shares no storage with any other. */
export async function newDevice(browser: Browser, address: string, visit: Visit = {}): Promise<BrowserContext> {
  const { lang = "en_us", token, theme = "light", viewport = PHONE, clockOffMs = 0 } = visit;
  const context = await browser.newContext({
    baseURL: address,
    viewport,
    colorScheme: theme,
    deviceScaleFactor: 2,
    hasTouch: viewport.width < 600,
    locale: "en-US",
    serviceWorkers: "block",
  });
  await context.addInitScript(
    ({ lang, token }) => {
      if (sessionStorage.getItem("told")) return;
      sessionStorage.setItem("told", "1");
      if (lang) localStorage.setItem("viodeLang", lang);
      if (token) localStorage.setItem("token", token);
    },
    { lang, token },
  );
  if (clockOffMs) {
    await context.addInitScript((off) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + off;
    }, clockOffMs);
  }
  return context;
}

/** Everything that went wrong in a page: exceptions, and what the browser refused under the page's policy. */
export function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const said = message.text();
    // The test cut this connection on purpose.
    if (!/Failed to load resource|WebSocket connection|net::ERR/.test(said)) faults.push(said);
  });
  return faults;
}
