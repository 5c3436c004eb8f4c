import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM_FLAGS, findChromium } from "#server/programs/chromium.ts";
import { faultsOf } from "../support/browser.ts";
import { byLength } from "../support/length.ts";
import { ServerHere } from "../support/server-here.ts";

/** A name of the site that is no loopback address, over plain http. */
const NAME = "trio.test";

/** What Chromium says of every page that comes over plain http from elsewhere. */
const OF_PLAIN_HTTP = /^The Cross-Origin-Opener-Policy header has been ignored/;

let browser: Browser;
let server: ServerHere;
beforeAll(async () => {
  const args = [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`];
  [browser, server] = await Promise.all([
    chromium.launch({ executablePath: findChromium(), args }),
    ServerHere.start({ env: { HOSTS: NAME } }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("the API's page", () => {
  it.each(byLength([NAME, "127.0.0.1"], [NAME, "127.0.0.1", "localhost"]))(
    "opens at %s over plain http, and asks nobody else",
    async (name) => {
      const { port } = new URL(server.address);
      const origin = `http://${name}:${port}`;
      const page = await browser.newPage();
      const faults = faultsOf(page);
      const foreign: string[] = [];
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) foreign.push(url);
      });
      await page.goto(`${origin}/docs`);
      await page.getByRole("heading", { name: "Trio" }).waitFor();
      const call = page.locator("#operations-lottery-postGamePlaceOrder");
      await call.waitFor();
      await expect.poll(() => page.locator(".opblock").count()).toBeGreaterThan(70);
      await call.getByRole("button").first().click();
      await call.getByText("idempotency-key").first().waitFor();
      expect({ faults: faults.filter((one) => !OF_PLAIN_HTTP.test(one)), foreign }).toEqual({
        faults: [],
        foreign: [],
      });
      await page.close();
    },
  );

  it("lets one try a call", async () => {
    const page = await browser.newPage();
    await page.goto(`http://${NAME}:${new URL(server.address).port}/docs`);
    const call = page.locator("#operations-site-getSystemBase");
    await call.getByRole("button").first().click();
    await call.getByRole("button", { name: "Try it out" }).click();
    await call.locator("select").last().waitFor();
    await call.getByRole("button", { name: "Execute" }).click();
    const status = call.locator(".live-responses-table tbody .response-col_status");
    await status.waitFor();
    expect(await status.innerText()).toContain("200");
    await page.close();
  });
});
