import { join } from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const FIRST = ["/api/system/base", "/api/system/config", "/api/Lottery/hotLottery"];

const test = browserTest({
  furnish: async (server) => {
    const picture = join(server.folder, "banner.png");
    await sharp({ create: { width: 780, height: 360, channels: 3, background: "#274" } })
      .png()
      .toFile(picture);
    await operatorOf(server)("banner:add", picture, "--link", "/Video", "--caption", "New this week");
  },
});

/** Opens Home, whose libraries come only when its banner and its answers have been asked for. */
test.for(["a guest", "a member"])(
  "Home of %s asks for them beside its scripts, each once",
  async (who, { come, enter, server }) => {
    const { page } = who === "a guest" ? await come() : await enter("comes_early");
    const headOf = async () =>
      (await fetch(`${server.address}/Home`, { headers: { accept: "text/html" } })).headers.get("link");
    await expect.poll(headOf).toMatch(/^<\/files\/.+>; rel=preload/);
    const banner = /<(.+)>/.exec((await headOf())!)![1]!;

    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    let isHeld = true;
    await page.route(/\/assets\/base-/, async (route) => {
      await expect
        .poll(() => [banner, ...FIRST].filter((path) => !asked.includes(path)), { timeout: 30_000 })
        .toEqual([]);
      isHeld = false;
      await route.continue();
    });
    await page.goto("/Home");
    await page.getByRole("link", { name: "New this week" }).locator("img").waitFor();
    await page.waitForLoadState("networkidle");
    expect(isHeld).toBe(false);
    // The first connection asks again for the settings, which it may have missed a change of.
    const once = [...FIRST, banner].filter((path) => path !== "/api/system/base").toSorted();
    expect(asked.filter((path) => once.includes(path)).toSorted()).toEqual(once);
  },
);
