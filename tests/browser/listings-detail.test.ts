import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { layersInHistory, standsStill } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { ADDRESS, fillCatalogue, nameOf } from "../support/catalogue.ts";
import { Client } from "../support/client.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { Touch } from "../support/touch.ts";
import type { Visitor } from "../support/visitor.ts";

/** The newest, with three pictures; and one that will be removed. */
const PICTURED = "/nHomeDetail?id=lst_4";
const WRITER = "writes_well";

let visitor: Visitor;
const test = browserTest({ furnish: (server) => fillCatalogue(server, { seoul: 3, hanoi: 1 }) }).extend(
  "writer",
  { scope: "file" },
  ({ server }) => new Client(server.address).register(WRITER),
);
test.beforeEach(async ({ writer, come }) => {
  visitor = await come({ token: writer.token! });
});

const viewer = (page: Page) => page.getByRole("dialog", { name: nameOf(4) });
const slide = (page: Page, place: number) =>
  page.getByRole("button", { name: visitor.words.like("viewer.open", { place: String(place), count: "3" }) });
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Opens the listing from the list, and its first picture. */
async function openPicture(page: Page): Promise<void> {
  await page.goto("/nHomeList");
  await page.locator(`a[href="${PICTURED}"]`).click();
  await slide(page, 1).click();
  await viewer(page).getByText("1 / 3").waitFor();
  // Keys reach the pictures once they are laid out and the focus is on them.
  await viewer(page).locator(".swiper-initialized").waitFor();
  await expect.poll(() => viewer(page).evaluate((it) => it.contains(document.activeElement))).toBe(true);
}

describe("the pictures of a listing", () => {
  test("cycle under the finger", async () => {
    const { page } = visitor;
    await page.goto(PICTURED);
    await page.getByText("1 / 3").waitFor();
    const finger = await Touch.of(page);
    for (const place of [2, 3, 1]) {
      await finger.down({ x: 330, y: 300 });
      await finger.by(-260, 0);
      await finger.up();
      await page.getByText(`${place} / 3`).waitFor();
      await standsStill(page.locator(".swiper-wrapper").first());
    }
    expect(new URL(page.url()).search).toBe("?id=lst_4");
  });

  test("fill the screen after a tap, are swiped, and Back closes them in place", async () => {
    const { page } = visitor;
    await openPicture(page);
    expect(query(page)).toEqual({ id: "lst_4", view: "0" });
    const finger = await Touch.of(page);
    await finger.down({ x: 330, y: 420 });
    await finger.by(-260, 0);
    await finger.up();
    await viewer(page).getByText("2 / 3").waitFor();
    await page.goBack();
    await viewer(page).waitFor({ state: "detached" });
    expect(query(page)).toEqual({ id: "lst_4" });
    await expect.poll(() => slide(page, 1).evaluate((it) => it === document.activeElement)).toBe(true);
    await page.goBack();
    await page.waitForURL(/\/nHomeList/);
  });

  test("are closed by a finger that pulls them down, and not by a short pull", async () => {
    const { page } = visitor;
    await openPicture(page);
    const finger = await Touch.of(page);
    const pull = async (pixels: number) => {
      await finger.down({ x: 200, y: 400 });
      await finger.by(4, pixels);
      await finger.up();
    };
    await pull(60);
    expect(await viewer(page).count()).toBe(1);
    await pull(200);
    await viewer(page).waitFor({ state: "detached" });
    await expect.poll(() => query(page)).toEqual({ id: "lst_4" });
  });

  test("are closed by Escape and by the cross, which leave no history entry", async () => {
    const { page } = visitor;
    await openPicture(page);
    await page.keyboard.press("ArrowRight");
    await viewer(page).getByText("2 / 3").waitFor();
    await page.keyboard.press("Escape");
    await viewer(page).waitFor({ state: "detached" });
    await layersInHistory(page, 0);
    await expect.poll(() => slide(page, 1).evaluate((it) => it === document.activeElement)).toBe(true);
    await slide(page, 1).click();
    await visitor.button("action.close").click();
    await viewer(page).waitFor({ state: "detached" });
    await layersInHistory(page, 0);
    await page.goBack();
    await page.waitForURL(/\/nHomeList/);
  });

  test("are zoomed by two fingers or two taps", async () => {
    const { page } = visitor;
    await page.goto(`${PICTURED}&view=1`);
    await viewer(page).getByText("2 / 3").waitFor();
    const shown = viewer(page).locator(".swiper-slide-active img");
    await expect.poll(async () => (await shown.boundingBox())?.width).toBe(390);
    await shown.dblclick();
    await expect.poll(async () => (await shown.boundingBox())!.width).toBeGreaterThan(700);
  });

  test("of a shared address close to the listing itself, and Back leads home", async () => {
    const { page } = visitor;
    await page.goto(`${PICTURED}&view=1`);
    await viewer(page).getByText("2 / 3").waitFor();
    await visitor.button("action.close").click();
    await viewer(page).waitFor({ state: "detached" });
    await expect.poll(() => [new URL(page.url()).pathname, query(page)]).toEqual(["/nHomeDetail", { id: "lst_4" }]);
    await visitor.button("action.back").click();
    await page.waitForURL(/\/Home/);
  });

  test("are found in the gallery as well", async () => {
    const { page } = visitor;
    await page.goto("/Gallery");
    await page.getByRole("button", { name: nameOf(4) }).click();
    await viewer(page).getByText("1 / 3").waitFor();
    expect(query(page)).toEqual({ id: "lst_4", view: "0" });
    await page.goBack();
    await viewer(page).waitFor({ state: "detached" });
  });
});

describe("a listing", () => {
  test("shows everyone age, height and district, and active members place and contact, from that moment on", async ({
    server,
  }) => {
    const { page, words } = visitor;
    await page.goto(PICTURED);
    const facts = page.locator("main dl");
    // Born on 3 March 1996, and it is 2 March.
    await facts.first().getByText("29", { exact: true }).waitFor();
    expect(await page.getByText(words.text("listing.afterActivation")).count()).toBe(3);
    expect(await page.content()).not.toContain(ADDRESS);
    await operatorOf(server)("member:activate", WRITER, "--days", "30");
    await page.getByText(ADDRESS).waitFor();
    expect(await page.getByText(words.text("listing.afterActivation")).count()).toBe(0);
  });

  test("shows name, city and price on its picture, and leads to others of the city", async () => {
    const { page, words } = visitor;
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/nHomeDetail?id=lst_3");
    const name = page.getByRole("heading", { level: 2, name: nameOf(3) });
    await name.waitFor();
    const isAbove = async () => {
      const { y, height } = (await name.boundingBox())!;
      return y + height < (await visitor.button("listing.contactButton").boundingBox())!.y;
    };
    await expect.poll(isAbove).toBe(true);
    const others = page
      .getByRole("region")
      .or(page.locator("section"))
      .filter({ hasText: words.like("listing.others", { city: "Seoul" }) });
    await expect.poll(() => others.getByRole("listitem").count()).toBe(2);
    await others.getByRole("link", { name: words.text("action.seeAll") }).click();
    await page.waitForURL(/\/List\?id=cty_1&name=Seoul/);
  });

  test("is commented by members once, and the comment shown when the operator approves it", async ({ server }) => {
    const { page, words } = visitor;
    await page.goto(PICTURED);
    await visitor.button("comment.send").click();
    await page.getByText(words.text("comment.fill")).waitFor();
    await page.getByRole("radio", { name: words.like("listing.hearts", { hearts: "5" }) }).check({ force: true });
    await visitor.field("comment.text").fill("Kind, and on time");
    await page.reload();
    expect(await visitor.field("comment.text").inputValue()).toBe("Kind, and on time");
    await page.getByRole("radio", { name: words.like("listing.hearts", { hearts: "5" }) }).check({ force: true });
    await visitor.button("comment.send").click();
    await page.getByText(words.text("comment.waiting")).waitFor();
    await page.getByText(words.text("comment.none")).waitFor();
    await operatorOf(server)("comment:show", "cmt_1");
    await page.reload();
    await page.getByText("Kind, and on time").waitFor();
  });

  test("of a city leads to its contact", async () => {
    const { page, words } = visitor;
    await page.goto("/Choose");
    await page.getByRole("link", { name: "Hanoi" }).click();
    await page.waitForURL(/\/List\?id=cty_2&name=Hanoi/);
    await page.getByRole("link", { name: nameOf(4) }).click();
    await page.waitForURL(/\/Profile\?id=lst_4&name=Hanoi&adsid=cty_2/);
    await visitor.button("listing.contactButton").click();
    await page.getByText(words.text("listing.contactText")).waitFor();
    await page.getByRole("link", { name: words.text("service.title") }).click();
    await page.waitForURL(/\/ServiceOnline/);
    // The toast goes with its screen.
    await expect.poll(() => page.getByText(words.text("listing.contactText")).count()).toBe(0);
  });

  test("that was removed says so, and leads to the others", async ({ server }) => {
    const { page, words } = visitor;
    await operatorOf(server)("listing:remove", "host-1");
    for (const path of ["/nHomeDetail?id=lst_1", "/nHomeDetail", "/Profile?id=none"]) {
      await page.goto(path);
      await page.getByText(words.text("listing.gone")).waitFor();
    }
    await page.getByRole("link", { name: words.text("listing.title") }).click();
    await page.waitForURL(/\/nHomeList/);
    await expect.poll(() => page.locator("main ul > li").count()).toBe(3);
  });
});
