import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { leaveBrowser, openBrowser } from "./browser.ts";
import { Client } from "./client.ts";
import { operatorOf } from "./withdrawal-steps.ts";
import { ServerHere } from "./server-here.ts";
import { INVITE } from "./server-process.ts";
import { Visitor } from "./visitor.ts";

/** The demo's videos: four categories, of which the first is Nature. */
export const VIDEOS = 24;
export const OF_NATURE = 6;

/** A browser, a server with the demo on it, a member, and the visitor of this test. */
export interface Hall {
  browser: Browser;
  server: ServerHere;
  member: Client;
  visitor: Visitor;
}

interface Wanted {
  /** Runs once, before the first visit. */
  furnish?: (hall: Hall) => Promise<unknown>;
  /** The visiting member; the named one by default, or a new one for each test. */
  whoComes?: (hall: Hall) => Promise<Client>;
}

/** One hall for all tests of a file. Each test has its own visitor, on whose page nothing may go wrong. */
export function hallFor(username: string, { furnish, whoComes = async ({ member }) => member }: Wanted = {}): Hall {
  const hall = {} as Hall;
  beforeAll(async () => {
    [hall.browser, hall.server] = await Promise.all([openBrowser(), ServerHere.start({ env: { DEMO: "1" } })]);
    await operatorOf(hall.server)("invite:add", INVITE);
    hall.member = await new Client(hall.server.address).register(username);
    await furnish?.(hall);
  });
  afterAll(async () => {
    await leaveBrowser(hall.browser);
    await hall.server.close();
  });
  beforeEach(async () => visit(hall, await whoComes(hall)));
  afterEach(async () => {
    if (hall.visitor.faults.length > 0) throw new Error(hall.visitor.faults.join("\n"));
    await hall.visitor.close();
  });
  return hall;
}

export async function visit(hall: Hall, { token }: Client): Promise<void> {
  hall.visitor = await Visitor.come(hall.browser, hall.server.address, { token: token! });
}

/** Gives the member a running membership. */
export const activate = ({ server }: Hall, username: string): Promise<string> =>
  operatorOf(server)("member:activate", username, "--days", "30");

/** Locators of the video hall. */
export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
export const shownTab = (page: Page) => page.getByRole("tab", { selected: true }).textContent();
export const tiles = (page: Page) => page.locator('[role="tabpanel"] ul.grid > li');
/** The category in the page's address. */
export const keyIn = (page: Page) => new URL(page.url()).searchParams.get("key");
export const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
export const toEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

/** Scrolls until this many tiles have loaded. */
export async function scrollToTile(page: Page, count: number): Promise<void> {
  await tiles(page).first().waitFor();
  await expect
    .poll(async () => {
      await toEnd(page);
      return tiles(page).count();
    })
    .toBeGreaterThanOrEqual(count);
}
