import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client } from "../support/client.ts";
import { cutTexts } from "../support/cut-texts.ts";
import { importVideos } from "../support/import-videos.ts";
import { offerPrizes } from "../support/prizes.ts";
import { SCREEN_PATHS } from "../support/screen-paths.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { show, tooWide } from "../support/settled-screen.ts";

const test = browserTest({
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 1 });
    await importVideos(server, { size: "160x90", seconds: 20 });
  },
  games: [TEN_SECONDS],
}).extend("token", { scope: "file" }, async ({ server }) => {
  const member = await new Client(server.address).register("looker");
  await member.topUp(1_000);
  return member.token!;
});

describe.each(["vn_vn", "ms_my"])("text twice as large is cut off nowhere on a small phone in %s", (lang) => {
  test.for(SCREEN_PATHS)("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang, token, viewport: { width: 360, height: 640 } });
    await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
    await show(page, path);
    expect(await cutTexts(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
  });
});
