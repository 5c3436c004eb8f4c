import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const test = browserTest();

/** The most that a picture of the manifest may have, in bytes. */
const MOST_BYTES = 40_000;

/** Chromium offers an installation only after some use, so the test hands in its event. */
const offer = (page: Page) =>
  page.evaluate(() => {
    const prompt = () => Promise.resolve({ outcome: (window.name = "accepted") });
    dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt }));
  });

describe("the app", () => {
  test("has all that Chromium asks of one to install, and pictures that are as the manifest says", async ({
    browser,
    server,
  }) => {
    const device = await browser.newContext({ baseURL: server.address, locale: "en-US" });
    const page = await device.newPage();
    await page.goto("/About");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const browsers = await device.newCDPSession(page);
    const { errors, data } = await browsers.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { installabilityErrors } = await browsers.send("Page.getInstallabilityErrors");
    // A test's device is a private window.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    interface Shown {
      src: string;
      sizes: string;
      purpose?: string;
      form_factor?: string;
    }
    const { id, icons, screenshots, shortcuts } = JSON.parse(data!) as Record<"icons" | "screenshots", Shown[]> & {
      id: string;
      shortcuts: { url: string }[];
    };
    expect([id, icons.some(({ purpose }) => purpose === "maskable"), shortcuts.length]).toEqual(["/", true, 3]);
    expect(screenshots.map((one) => one.form_factor)).toEqual(["narrow", "wide"]);
    for (const { src, sizes } of [...icons, ...screenshots]) {
      const answer = await page.request.get(src);
      expect([src, answer.status(), (await answer.body()).length < MOST_BYTES]).toEqual([src, 200, true]);
      const size = await page.evaluate(async (src) => {
        const picture = Object.assign(new Image(), { src });
        await picture.decode();
        return `${picture.naturalWidth}x${picture.naturalHeight}`;
      }, src);
      expect([src, [size, "any"].includes(sizes)]).toEqual([src, true]);
    }
    await device.close();
  });

  test("is offered in the settings as soon as it can be installed, and asks then", async ({ enter }) => {
    const { page, words } = await enter("installs_1");
    await page.goto("/Setting");
    const row = page.getByRole("button", { name: words.text("install.title") });
    await page.getByText(words.text("setting.about")).waitFor();
    expect(await row.count()).toBe(0);
    await offer(page);
    await row.click();
    await page.waitForFunction(() => window.name === "accepted");
    await row.waitFor({ state: "detached" });
  });

  test("is offered on the home screen never on the first day, and never again once answered", async ({ visitor }) => {
    const { page, words } = visitor;
    const card = page.getByRole("heading", { name: words.text("install.title") });
    const come = async () => {
      await page.goto("/Home");
      await offer(page);
      await page.getByText(words.text("home.intro")).waitFor();
      await page.getByRole("region", { name: words.text("listing.title") }).waitFor();
    };
    await come();
    expect(await card.count()).toBe(0);
    await page.evaluate(() => localStorage.setItem("installOffer", "Sun Mar 01 2026"));
    await come();
    await card.waitFor();
    await visitor.button("install.later").click();
    await card.waitFor({ state: "detached" });
    await come();
    expect(await card.count()).toBe(0);
  });
});
