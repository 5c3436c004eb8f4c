import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { layersInHistory } from "../support/browser.ts";
import { comeTo, comingTo, layersOf, openableTest, openOver, OPENINGS } from "../support/opened-sheets.ts";
import { readSourceFiles } from "../support/source-files.ts";

const test = openableTest();

/** Where one is: the address, the place on the page, the same screen as before, what lies over it, and the focus. */
const standing = async (page: Page, opener: Locator | undefined) => ({
  ...(await page.evaluate(() => ({
    address: location.pathname + location.search,
    top: window.scrollY,
    isSame: document.querySelector("[data-stays]") !== null,
  }))),
  over: await layersOf(page).count(),
  focus: await opener?.evaluate((it) => (document.activeElement === it ? "" : document.activeElement?.outerHTML)),
});

/** The screen behind what is open. */
const behind = (page: Page) => page.evaluate(() => ({ isInert: document.getElementById("root")!.inert }));

/** What an element of a popup's own kind is made with, and the components that are made with it. */
const PRIMITIVE = /<(?:AlertDialog|Dialog|Drawer|Menu|Popover|Select)\.Root|<dialog|\bpopover=/;
const KINDS = ["components/Sheet.tsx", "components/Viewer.tsx", "screens/video/ChoiceList.tsx"];
/** A use of one of them, or a layer of another kind. */
const USE = /<(?:Sheet|Viewer|ChoiceMenu)\s|\buseLayer\(/g;
const APART = new Set([...KINDS, "screens/video/ChoiceMenu.tsx", "screens/listing/use-viewer.ts", "app/layers.ts"]);
/** Closing it leads on: a test of its own below. */
const RECEIPT = "screens/payments/Channel.tsx";

const sources = readSourceFiles()
  .filter(({ path }) => path.startsWith("client/"))
  .map(({ path, text }) => ({ path: path.replace("client/", ""), text }));

test("every sheet, menu and picture of the app is opened here", () => {
  expect(sources.filter(({ text }) => PRIMITIVE.test(text)).map(({ path }) => path)).toEqual(KINDS);
  const used = sources
    .filter(({ path }) => !APART.has(path))
    .flatMap(({ path, text }) => Array.from(text.matchAll(USE), () => path));
  expect([...OPENINGS.map(({ from }) => from), RECEIPT].sort()).toEqual(used.sort());
});

describe("Back closes in place, and leads to where one was,", () => {
  test.for(OPENINGS.map((opening, place) => ({ ...opening, place })))(
    "$name",
    async ({ place, ...opening }, { join, come, server }) => {
      const username = `closes_${place}`;
      const member = await join(username, 50_000);
      const visitor = await come(comingTo(opening, server, member));
      const { page } = visitor;
      await page.emulateMedia({ reducedMotion: "reduce" });
      const opener = await comeTo(opening, { server, member, username, visitor });
      await page
        .locator("h1")
        .first()
        .evaluate((it) => (it.dataset.stays = ""));
      const was = await standing(page, opener);
      const over = opener ? was.over : 0;
      await openOver(page, opening, opener, over);
      // The open cart and the menus of a playing video are no dialogs.
      expect(await behind(page)).toEqual({ isInert: (await page.getByRole("dialog").count()) > 0 });
      await page.goBack();
      await expect.poll(() => standing(page, opener)).toEqual({ ...was, over });
      expect(await behind(page)).toEqual({ isInert: (await page.getByRole("dialog").count()) > 0 });
      await layersInHistory(page, over);
    },
  );

  test("the receipt of a top-up, where the top-up began", async ({ enter }) => {
    const { page, field, button } = await enter("closes_receipt");
    await page.goto("/Mine");
    await button("mine.recharge").click();
    await field("recharge.amount").fill("100");
    await button("recharge.pay").click();
    await page.frameLocator("iframe").locator("button.pay").click();
    await layersOf(page).waitFor();
    await layersInHistory(page, 1);
    await page.goBack();
    await page.waitForURL(/\/Mine/);
    await expect.poll(() => layersOf(page).count()).toBe(0);
  });
});
