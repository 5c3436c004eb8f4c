import type { Page } from "playwright-core";
import { test } from "vitest";
import { leaveBrowser, newDevice, openBrowser, type Visit } from "./browser.ts";
import { Client } from "./client.ts";
import { ServerHere } from "./server-here.ts";
import { ServerProcess, type ServerOptions, type StoryServer } from "./server-process.ts";
import { Visitor } from "./visitor.ts";

interface Wanted<S> extends ServerOptions {
  /** Runs once, before the first visit. */
  furnish?: (server: S) => Promise<unknown>;
}

type Coming = Parameters<typeof Visitor.come>[2] & {
  /** Another address of the server than its own. */
  address?: string;
};

/**
 * The tests of a file in a real browser: one server for the file. `visitor` is a guest of this test,
 * `come` brings more; `join` registers a member by the API, and `enter` brings one whose device has the session. Nothing may go wrong on any visitor's page. `pageFor`
 * keeps a page over several tests, which walk on it: the app is loaded again only for another kind of visit.
 */
export const browserTest = (wanted: Wanted<ServerHere> = {}) => testOn(ServerHere.start, wanted);

/** The same on a server in a process of its own, which a test may kill. */
export const browserTestApart = (wanted: Wanted<ServerProcess> = {}) => testOn(ServerProcess.start, wanted);

function testOn<S extends StoryServer>(start: (wanted: ServerOptions) => Promise<S>, wanted: Wanted<S>) {
  const { furnish, ...options } = wanted;
  return test
    .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
      const browser = await openBrowser();
      onCleanup(() => leaveBrowser(browser));
      return browser;
    })
    .extend("server", { scope: "file" }, async ({}, { onCleanup }) => {
      const server = await start(options);
      onCleanup(() => server.close());
      await furnish?.(server);
      return server;
    })
    .extend("pageFor", { scope: "file" }, async ({ browser, server }, { onCleanup }) => {
      let last: { wanted: string; page: Page } | undefined;
      const leave = async () => last?.page.context().close();
      onCleanup(leave);
      return async (visit: Visit): Promise<Page> => {
        const wanted = JSON.stringify(visit);
        if (last?.wanted === wanted) return last.page;
        await leave();
        last = { wanted, page: await (await newDevice(browser, server.address, visit)).newPage() };
        await last.page.goto("/About");
        await last.page.locator("h1").waitFor();
        return last.page;
      };
    })
    .extend("come", async ({ browser, server }, { onCleanup }) => {
      const visitors: Visitor[] = [];
      onCleanup(async () => {
        const faults = visitors.flatMap((visitor) => visitor.faults);
        for (const visitor of visitors) await visitor.close();
        if (faults.length > 0) throw new Error(faults.join("\n"));
      });
      return async ({ address = server.address, ...visit }: Coming = {}): Promise<Visitor> => {
        const visitor = await Visitor.come(browser, address, visit);
        visitors.push(visitor);
        return visitor;
      };
    })
    .extend("join", ({ server }) => async (username: string, units = 0): Promise<Client> => {
      const member = await new Client(server.address).register(username);
      if (units > 0) await member.topUp(units);
      return member;
    })
    .extend("enter", ({ come, join }) => async (username: string, units = 0, coming: Coming = {}): Promise<Visitor> => {
      const { token } = await join(username, units);
      return come({ ...coming, token: token! });
    })
    .extend("visitor", ({ come }) => come());
}

export type Enter = (username: string, units?: number, coming?: Coming) => Promise<Visitor>;
