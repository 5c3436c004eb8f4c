import type { Page } from "playwright-core";
import { expect } from "vitest";
import { Client } from "./client.ts";
import { desk } from "./desk.ts";
import { INVITE, ServerProcess } from "./server-process.ts";

/** The demo's videos: four categories, of which the first is Nature. */
export const VIDEOS = 24;
export const OF_NATURE = 6;

/** A server with the demo on it, and a new member. */
export async function openHall(username: string) {
  const server = await ServerProcess.start({ env: { DEMO: "1" } });
  await desk(server)("invite:add", INVITE);
  return { server, member: await new Client(server.address).register(username) };
}

/** What stands in the video hall. */
export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
export const shownTab = (page: Page) => page.getByRole("tab", { selected: true }).textContent();
export const tiles = (page: Page) => page.locator('[role="tabpanel"] ul.grid > li');
/** The category in the address. */
export const keyIn = (page: Page) => new URL(page.url()).searchParams.get("key");
export const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
export const toEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

/** Scrolls on and on until all of so many tiles are there. */
export async function scrollToTile(page: Page, count: number): Promise<void> {
  await tiles(page).first().waitFor();
  await expect
    .poll(async () => {
      await toEnd(page);
      return tiles(page).count();
    })
    .toBeGreaterThanOrEqual(count);
}
