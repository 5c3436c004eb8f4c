import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { LOCALES } from "#shared/locales.ts";
import { launchBrowser, newDevice } from "../support/browser.ts";
import { Client } from "../support/client.ts";
import { overlapsOnTiles } from "../support/overlaps.ts";
import { ServerProcess, TEN_SECONDS } from "../support/server-process.ts";

const games = [...GAME_KINDS.keys()].map((kind) => ({ ...TEN_SECONDS, key: `${kind}-10s`, kind }));
/** Width of the screen, and the size of text; the usual is 16 px. */
const VIEWS = [
  { width: 320, text: 16 },
  { width: 390, text: 16 },
  { width: 360, text: 32 },
] as const;

let browser: Browser;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start({ games })]);
  token = (await new Client(server.address).register("looker")).token!;
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, text } of VIEWS) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), text);
    for (const fault of await overlapsOnTiles(page)) faults.push(`${width} px, text ${text} px, ${fault}`);
  }
  return faults;
}

describe.each(LOCALES.map(({ code }) => code))("no name, rate, chance or mark overlaps another in %s", (lang) => {
  it.each(games.map(({ key, kind }, place) => [kind, `/Lottery?key=${key}&id=lot_${place + 1}`]))(
    "on the board of %s",
    async (_, path) => {
      const device = await newDevice(browser, server.address, { lang, token });
      const page = await device.newPage();
      await page.goto(path);
      const tiles = page.locator("[data-option]");
      await tiles.first().waitFor();
      expect(await faultsIn(page)).toEqual([]);
      // A chosen one has a mark.
      await tiles.evaluateAll((all) => all.forEach((tile) => (tile as HTMLElement).click()));
      await page
        .locator(`[data-option][aria-pressed="true"]`)
        .nth((await tiles.count()) - 1)
        .waitFor();
      expect(await faultsIn(page)).toEqual([]);
      await device.close();
    },
  );
});
