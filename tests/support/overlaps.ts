import type { Page } from "playwright-core";

/**
 * Texts and marks on a board's tiles that overlap, or reach beyond their tile, on the screen. Text for screen readers
 * alone is left out.
 */
export async function overlapsOnTiles(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Seen {
      what: string;
      box: DOMRect;
    }
    const ROUNDED = 1;
    const isScreenReaderOnly = (element: Element) => element.closest(".sr-only") !== null;
    const textsOn = (tile: Element): Seen[] => {
      const walker = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
      const seen: Seen[] = [];
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        if (isScreenReaderOnly(node.parentElement!)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) seen.push({ what: node.data, box: lettersIn(box) });
      }
      return seen;
    };
    const drawingsOn = (tile: Element): Seen[] =>
      [...tile.querySelectorAll("svg")].map((drawn) => ({ what: "a drawing", box: drawn.getBoundingClientRect() }));
    /** A font's box is taller than its letters. */
    const lettersIn = ({ x, y, width, height }: DOMRect) => new DOMRect(x, y + height * 0.2, width, height * 0.6);
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > ROUNDED &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > ROUNDED;
    const reachesBeyond = ({ box }: Seen, edge: DOMRect) =>
      box.left < edge.left - ROUNDED || box.right > edge.right + ROUNDED || box.bottom > edge.bottom + ROUNDED;

    return [...document.querySelectorAll("[data-option]")].flatMap((tile) => {
      const [texts, drawings] = [textsOn(tile), drawingsOn(tile)];
      const edge = tile.getBoundingClientRect();
      const over = texts.flatMap((one, place) =>
        [...texts.slice(place + 1), ...drawings]
          .filter(({ box }) => overlap(one.box, box))
          .map(({ what }) => `${one.what} under ${what}`),
      );
      const beyond = texts.filter((one) => reachesBeyond(one, edge)).map(({ what }) => `${what} beyond its tile`);
      return [...over, ...beyond].map((fault) => `${tile.getAttribute("data-option")}: ${fault}`);
    });
  });
}
