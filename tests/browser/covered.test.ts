import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { walk } from "../support/browser.ts";
import { lookerTest } from "../support/looker-test.ts";
import { SCREEN_PATHS, TABLE_PATH } from "../support/screen-paths.ts";
import { settle, show } from "../support/settled-screen.ts";
import { wordsIn } from "../support/words.ts";

const OTHER = { key: "k3-5m", name: "Five minutes", periodS: 300, closeS: 3 };
const test = lookerTest(OTHER);

/**
 * The texts and controls of the screen's content that something fixed or sticky lies over: at its start those of the
 * upper half, at its end those of the lower half. Between the two everything can be scrolled from below a bar.
 */
async function coveredIn(page: Page, part: "start" | "end"): Promise<string[]> {
  return page.evaluate((part) => {
    // A sheet covers its screen on purpose.
    if (document.querySelector('[role="dialog"]')) return [];
    const middle = innerHeight / 2;
    const layerOf = (element: Element | null): Element | null => {
      for (let at = element; at; at = at.parentElement)
        if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return at;
      return null;
    };
    const isOfPart = ({ top, bottom }: DOMRect) =>
      part === "start" ? top >= 0 && top < middle : bottom > middle && bottom <= innerHeight;
    /** Points within a box that the eye or a finger meets. */
    const pointsIn = ({ left, right, top, bottom }: DOMRect) =>
      [0.1, 0.5, 0.9].flatMap((x) => [0.25, 0.75].map((y) => [left + (right - left) * x, top + (bottom - top) * y]));
    const isCovered = (owner: Element, box: DOMRect) =>
      pointsIn(box).some(([x, y]) => {
        const [above] = document.elementsFromPoint(x!, y!);
        const layer = layerOf(above ?? null);
        return layer !== null && layer !== layerOf(owner) && !layer.contains(owner);
      });
    const boxesOf = (node: Node): DOMRect[] => {
      if (node instanceof Element) return [node.getBoundingClientRect()];
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    };
    const main = document.querySelector("main")!;
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const all: Node[] = [...main.querySelectorAll("a, button, input, select, textarea, summary")];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) if (node.textContent!.trim()) all.push(node);
    return all
      .map((node) => ({ node, owner: node instanceof Element ? node : node.parentElement! }))
      .filter(({ owner }) => owner.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter(({ owner }) => !owner.closest(".sr-only, .swiper") && layerOf(owner) === null)
      .filter(({ node, owner }) => boxesOf(node).some((box) => box.width > 0 && isOfPart(box) && isCovered(owner, box)))
      .map(({ owner }) => owner.outerHTML.slice(0, 160));
  }, part);
}

async function covered(page: Page): Promise<string[]> {
  await page.evaluate(() => window.scrollTo(0, 0));
  const atStart = await coveredIn(page, "start");
  // What loads as its end comes near makes the screen longer.
  for (const _ of ["near", "there"]) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await settle(page);
  }
  return [...atStart, ...(await coveredIn(page, "end"))];
}

/** What lies under something takes no click, however long one waits. */
const CLICK_MS = 5_000;

const SMALL = { width: 360, height: 640 };

describe("on a small phone nothing that floats or sticks lies over a text or a control", () => {
  test.for(SCREEN_PATHS)("of a member on %s", async (path, { pageFor, token }) => {
    const page = await pageFor({ lang: "vn_vn", token, viewport: SMALL });
    await show(page, path);
    expect(await covered(page)).toEqual([]);
  });

  test("of a member with an open cart", async ({ pageFor, token }) => {
    const page = await pageFor({ lang: "vn_vn", token, viewport: SMALL });
    await show(page, TABLE_PATH);
    for (const option of ["A", "B"]) await page.locator(`[data-option="${option}"]`).click();
    await settle(page);
    expect(await covered(page)).toEqual([]);
  });

  test("of the ring around an own stake's field, which scrolls with its steps", async ({ come, token }) => {
    const { page, button } = await come({ lang: "vn_vn", token, viewport: SMALL });
    await page.goto(TABLE_PATH);
    for (const option of ["A", "B"]) await page.locator(`[data-option="${option}"]`).click();
    await button("cart.each").click();
    const stake = page.locator("form [role=group] input").first();
    await stake.focus();
    const { ring, room } = await stake.evaluate((field) => {
      const style = field.computedStyleMap();
      const [width, offset] = ["outline-width", "outline-offset"].map(
        (name) => (style.get(name) as CSSUnitValue).value,
      );
      const [own, line] = [field, field.parentElement!].map((one) => one.getBoundingClientRect());
      const room = Math.min(own!.left - line!.left, own!.top - line!.top, line!.bottom - own!.bottom);
      return { ring: width! + offset!, room };
    });
    expect(ring).toBeGreaterThan(0);
    expect(room).toBeGreaterThanOrEqual(ring);
  });

  test("of a member at the table whose balance is below the smallest stake", async ({ pageFor, join }) => {
    const { token } = await join("penniless");
    const page = await pageFor({ lang: "vn_vn", token: token!, viewport: SMALL });
    await show(page, TABLE_PATH);
    await page.getByText(wordsIn("vn_vn").text("cart.broke")).waitFor();
    const first = page.locator('[data-option="A"]');
    await first.scrollIntoViewIfNeeded();
    await first.click();
    await page.locator('[data-option="A"][aria-pressed="true"]').waitFor();
  });

  test("of a member with an open cart who is told at another table of a settled bet, nor that over the cart", async ({
    come,
    token,
  }) => {
    const visitor = await come({ token, viewport: SMALL });
    const { page, words } = visitor;
    await page.goto(TABLE_PATH);
    await visitor.waitForSeconds(5);
    await visitor.bet(["A"], 10);
    await walk(page, `/Lottery?key=${OTHER.key}`);
    for (const option of ["A", "B"]) await page.locator(`[data-option="${option}"]`).click();
    const told = page.getByRole("status").filter({ hasText: words.like("push.settled") });
    await told.waitFor();
    const boxOf = async (one: Locator) => (await one.boundingBox())!;
    const [note, cart] = [await boxOf(told), await boxOf(page.locator("section:has(form)"))];
    expect(note.y + note.height).toBeLessThanOrEqual(cart.y);
    // A click finds nothing over it.
    await told.getByRole("button").click({ timeout: CLICK_MS });
    await told.waitFor({ state: "detached" });
  });

  test("of a member who is offered notifications", async ({ come, token }) => {
    const visitor = await come({ lang: "vn_vn", token, viewport: SMALL });
    const { page, words } = visitor;
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { value: "default" }));
    await page.goto(TABLE_PATH);
    await visitor.bet(["A"], 10);
    await page.getByText(words.like("own.result")).first().waitFor();
    for (const path of ["/Home", "/Mine", "/GameRecord"]) {
      await show(page, path);
      await page.getByText(words.text("push.offer")).waitFor();
      expect(await covered(page)).toEqual([]);
    }
  });

  test.for([
    { width: 844, height: 390 },
    { width: 667, height: 375 },
  ])("of the felt in landscape, $width px wide, above a bet to repeat", async (viewport, { come, token }) => {
    const { page, words, button, field } = await come({ lang: "vn_vn", token, viewport });
    await page.goto(TABLE_PATH);
    await page.locator('[data-option="18"]').click();
    await field("cart.stake").fill("10");
    await button("cart.place").click();
    const bar = page.getByRole("button", { name: words.like("cart.repeat") });
    await bar.waitFor();
    await page.getByRole("main").getByText(words.text("round.check")).waitFor();
    const felt = await page.locator("main section").first().boundingBox();
    expect(felt!.y + felt!.height).toBeLessThanOrEqual((await bar.boundingBox())!.y);
  });

  test.for(["/Home", "/nHomeList", "/nHomeDetail?id=lst_2", "/Choose", "/Gallery", "/Login", "/Register"])(
    "of a guest on %s",
    async (path, { pageFor }) => {
      const page = await pageFor({ lang: "vn_vn", viewport: SMALL });
      await show(page, path);
      expect(await covered(page)).toEqual([]);
    },
  );
});

test("a tap on the note that betting is closed chooses the option below it", async ({ pageFor, token }) => {
  const lang = "vn_vn";
  const page = await pageFor({ lang, token, viewport: SMALL });
  await show(page, TABLE_PATH);
  await page.locator('[data-option="A"]').scrollIntoViewIfNeeded();
  // In one step: betting is closed for two seconds only.
  const tapped = await page.waitForFunction((words) => {
    const tile = document.querySelector<HTMLElement>('[data-option="A"]')!;
    const note = document.querySelector(".sticky[role=status] p");
    if (note?.textContent !== words) return null;
    tile.scrollIntoView({ block: "start" });
    const { x, y, width, height } = tile.getBoundingClientRect();
    const under = note.getBoundingClientRect();
    const at = Math.min(Math.max(under.y + under.height / 2, y + 1), y + height - 1);
    document
      .elementFromPoint(x + width / 2, at)
      ?.closest<HTMLElement>("[data-option]")
      ?.click();
    return { isUnder: under.y < at && at < under.bottom };
  }, wordsIn(lang).text("cart.next"));
  expect(await tapped.jsonValue()).toEqual({ isUnder: true });
  await page.locator('[data-option="A"][aria-pressed="true"]').waitFor();
});
