import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client } from "../support/client.ts";
import { importVideos } from "../support/import-videos.ts";
import { offerPrizes } from "../support/prizes.ts";
import { SCREEN_PATHS } from "../support/screen-paths.ts";
import { TEN_SECONDS } from "../support/server-process.ts";

const paths = [...SCREEN_PATHS, "/nHomeDetail?id=lst_2&view=1", "/no/such/page"];
const guests = ["/Login", "/Register", "/Recover"];

const test = browserTest({
  games: [TEN_SECONDS],
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 1 });
    await importVideos(server);
  },
})
  // Service workers run here: their registration is one of the places that take a script's address.
  .extend("device", { scope: "file" }, async ({ browser, server }, { onCleanup }) => {
    const context = await browser.newContext({ baseURL: server.address, locale: "en-US" });
    onCleanup(() => context.close());
    const violations: string[] = [];
    await context.exposeFunction("noteViolation", (said: string) => violations.push(said));
    await context.addInitScript(listen);
    return { context, violations };
  })
  .extend("guest", { scope: "file" }, async ({ device }) => open(await device.context.newPage()))
  .extend("member", { scope: "file" }, async ({ device, server }) => {
    const { token } = await new Client(server.address).register("looker");
    const page = await device.context.newPage();
    await page.addInitScript((token) => localStorage.setItem("token", token), token);
    return open(page);
  });

async function open(page: Page): Promise<Page> {
  await page.goto("/About");
  await page.locator("h1").waitFor();
  return page;
}

/** Runs in the page, before its scripts. */
function listen(): void {
  localStorage.setItem("viodeLang", "en_us");
  const { noteViolation } = window as unknown as { noteViolation(said: string): void };
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample, sourceFile }) =>
    noteViolation(`${violatedDirective} ${blockedURI} ${sample} ${sourceFile}`),
  );
}

async function show(page: Page, path: string): Promise<void> {
  await walk(page, path);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

describe("under Trusted Types no screen hands the browser a string as code or markup", () => {
  test.for(guests)("as a guest on %s", async (path, { guest, device }) => {
    await show(guest, path);
    expect(device.violations).toEqual([]);
  });

  test.for(paths)("as a member on %s", async (path, { member, device }) => {
    await show(member, path);
    expect(device.violations).toEqual([]);
  });

  test("the worker and the service worker run", async ({ member }) => {
    expect(await member.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toMatch(
      /\/sw\.js$/,
    );
    await expect.poll(() => member.workers().length).toBeGreaterThan(0);
  });

  // Last, as it makes the violation that the others have not.
  test("a string is refused, and so is a policy that is not the app's", async ({ member, device }) => {
    const tried = await member.evaluate(() => {
      const attempt = (work: () => unknown) => {
        try {
          work();
          return "done";
        } catch (error) {
          return (error as Error).name;
        }
      };
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): void };
      };
      return [
        attempt(() => document.createElement("p").insertAdjacentHTML("beforeend", "<b>x</b>")),
        attempt(() => new Worker("/sw.js")),
        attempt(() => trustedTypes.createPolicy("another", {})),
        attempt(() => trustedTypes.createPolicy("trio", {})),
      ];
    });
    expect(tried).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
    await expect.poll(() => device.violations.join("\n")).toContain("require-trusted-types-for");
  });
});
