import { join } from "node:path";
import sharp from "sharp";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { holdLibraries, once, timesOf } from "../support/first-answers.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const CAPTION = "New this week";
const KEY = "k3-1m";

const test = browserTest({
  games: [{ key: KEY, name: "One minute", periodS: 60, closeS: 5 }],
  furnish: async (server) => {
    const picture = join(server.folder, "banner.png");
    await sharp({ create: { width: 780, height: 360, channels: 3, background: "#274" } })
      .png()
      .toFile(picture);
    await operatorOf(server)("banner:add", picture, "--link", "/Video", "--caption", CAPTION);
  },
});

describe("beside its scripts, and once,", () => {
  test.for(["a guest", "a member"])(
    "Home of %s asks for its banner and its first answers",
    async (who, { come, enter, server }) => {
      const { page } = who === "a guest" ? await come() : await enter("comes_early");
      const headOf = async () =>
        (await fetch(`${server.address}/Home`, { headers: { accept: "text/html" } })).headers.get("link");
      await expect.poll(headOf).toMatch(/^<\/files\/.+>; rel=preload/);
      const banner = /<(.+)>/.exec((await headOf())!)![1]!;
      const first = [banner, "/api/system/config", "/api/Lottery/hotLottery"];
      // The first connection asks again for the settings, which it may have missed a change of.
      const asked = await holdLibraries(page, [...first, "/api/system/base"]);
      await page.goto("/Home");
      await page.getByRole("link", { name: CAPTION }).locator("img").waitFor();
      await page.waitForLoadState("networkidle");
      expect(timesOf(asked, first)).toEqual(once(first));
    },
  );

  test("a table asks for its round, odds and draws", async ({ enter }) => {
    const { page } = await enter("sits_down", 100);
    const first = ["/api/Lottery/getLotteryPeilv", "/api/Lottery/getLotteryOneList"];
    const asked = await holdLibraries(page, [...first, "/api/member/getUserInfo", "/api/Lottery/getLotteryInfo"]);
    await page.goto(`/Lottery?key=${KEY}&id=lot_1`);
    await page.locator("[data-option]").first().waitFor();
    expect(timesOf(asked, first)).toEqual(once(first));
  });

  test("a guest's table asks for nothing of a member", async ({ visitor: { page } }) => {
    const asked = await holdLibraries(page, ["/api/system/base"]);
    await page.goto(`/Lottery?key=${KEY}&id=lot_1`);
    await page.waitForURL(/\/Login/);
    expect(asked.filter((path) => path.startsWith("/api/Lottery/") || path.startsWith("/api/member/"))).toEqual([]);
  });
});
