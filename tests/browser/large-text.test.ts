import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client } from "../support/client.ts";
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

/** The texts that a box around them cuts off, that reach beyond their button, or whose lines lie over each other. */
async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ROUNDED = 2;
    const CUTS = new Set(["hidden", "clip"]);
    // A prize's title on the wheel stands in full in the list of chances.
    const isShortened = (element: Element) => element.matches("[class*=line-clamp]");
    const isApart = (element: Element) => element.closest(".sr-only, svg, .swiper, ol, [aria-hidden=true]") !== null;
    /** A font's box is taller than its letters. */
    const lettersIn = ({ x, y, width, height }: DOMRect) => new DOMRect(x, y + height * 0.2, width, height * 0.6);
    const reachesBeyond = (box: DOMRect, edge: DOMRect) => box.right > edge.right + 1 || box.left < edge.left - 1;
    const isCut = (box: DOMRect, around: Element): boolean => {
      const { overflowX, overflowY } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      const beside = box.right > edge.right + ROUNDED || box.left < edge.left - ROUNDED;
      const below = box.bottom > edge.bottom + ROUNDED || box.top < edge.top - ROUNDED;
      return (beside && CUTS.has(overflowX)) || (below && CUTS.has(overflowY));
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent!.trim() || isApart(node.parentElement!)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].map(lettersIn);
      const { fontSize, lineHeight } = getComputedStyle(node.parentElement!);
      if (Number.parseFloat(lineHeight) < Number.parseFloat(fontSize)) cut.add(`${node.textContent} has low lines`);
      const button = node.parentElement!.closest("button");
      if (button && boxes.some((box) => reachesBeyond(box, button.getBoundingClientRect())))
        cut.add(`${node.textContent} beyond its button`);
      for (
        let around = node.parentElement;
        around && around.id !== "root" && !isShortened(around);
        around = around.parentElement
      ) {
        if (["auto", "scroll"].includes(getComputedStyle(around).overflowY)) break;
        if (boxes.some((box) => isCut(box, around))) cut.add(`${node.textContent} in ${around.className}`);
      }
    }
    return [...cut];
  });
}

describe.each(["vi_vn", "ms_my"])("text twice as large is cut off nowhere on a small phone in %s", (lang) => {
  test.for(SCREEN_PATHS)("on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang, token, viewport: { width: 360, height: 640 } });
    await page.evaluate(() => (document.documentElement.style.fontSize = "32px"));
    await show(page, path);
    expect(await cutTexts(page)).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
  });
});
