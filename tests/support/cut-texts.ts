import type { Page } from "playwright-core";
import { tooWide } from "./settled-screen.ts";

/** The texts that a box around them cuts off, that reach beyond their button, or whose lines lie over each other. */
export async function cutTexts(page: Page): Promise<string[]> {
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

/**
 * The texts that lie over each other in what is on top: the open sheet, or else the screen. What sticks or floats lies
 * over what passes below it, so that is left out.
 */
export async function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ROUNDED = 2;
    const root =
      [...document.querySelectorAll('[role="dialog"], [role="menu"]')].at(-1) ?? document.querySelector("main")!;
    const isApart = (element: Element): boolean => {
      // What is folded or keeps a place for another has one, but is not drawn.
      if (!element.checkVisibility({ visibilityProperty: true })) return true;
      for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
        // Titles on the wheel lie in turned boxes.
        if (at.matches(".sr-only, svg, .swiper, [aria-hidden=true], [role=img]")) return true;
        if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return true;
      }
      return false;
    };
    const lettersIn = ({ x, y, width, height }: DOMRect) => new DOMRect(x, y + height * 0.2, width, height * 0.6);
    /** What a scrollable part shows of it. */
    const shownOf = (box: DOMRect, element: Element): DOMRect => {
      let [top, bottom] = [box.top, box.bottom];
      for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
        if (!["auto", "scroll"].includes(getComputedStyle(at).overflowY)) continue;
        const edge = at.getBoundingClientRect();
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      return new DOMRect(box.x, top, box.width, Math.max(0, bottom - top));
    };
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const seen: { text: string; boxes: DOMRect[] }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.textContent!.trim() || isApart(node.parentElement!)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      seen.push({
        text: node.textContent!,
        boxes: [...range.getClientRects()].map((box) => shownOf(lettersIn(box), node.parentElement!)),
      });
    }
    const meet = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > ROUNDED &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > ROUNDED;
    return seen.flatMap((one, place) =>
      seen
        .slice(place + 1)
        .filter(({ boxes }) => boxes.some((box) => one.boxes.some((mine) => meet(mine, box))))
        .map(({ text }) => `${one.text} over ${text}`),
    );
  });
}

/** The open sheets and panels that can be moved aside: something in them is wider than they are. */
export async function wideSheets(page: Page): Promise<string[]> {
  const sheets = page.locator('[role="dialog"], [role="menu"], section:has(form)');
  return sheets.evaluateAll((all) =>
    all
      .flatMap((sheet) => [sheet, ...sheet.querySelectorAll("form")])
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.textContent.slice(0, 40)} is ${one.scrollWidth} px wide in ${one.clientWidth}`),
  );
}

/** All that large or long texts spoil on the screen, and in what is open over it. */
export const textFaults = async (page: Page): Promise<string[]> => [
  ...(await cutTexts(page)),
  ...(await tooWide(page)),
  ...(await wideSheets(page)),
  ...(await overlappingTexts(page)),
];
