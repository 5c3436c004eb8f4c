import { expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Touch } from "../support/touch.ts";

const test = browserTest({ furnish: (server) => fillCatalogue(server, { seoul: 1, hanoi: 1 }) });

/** Each screen, and what it asks for again. */
const SCREENS = [
  ["/Mine", "/api/member/getUserInfo"],
  ["/Choose", "/api/xuanfei/address"],
  ["/Sessions", "/api/member/sessions"],
  ["/Invites", "/api/member/invites"],
] as const;

test("is refetched by pulling it down, on Me, Cities, Sessions and Invites", async ({ enter }) => {
  const { page, words } = await enter("puller");
  const finger = await Touch.of(page);
  for (const [path, asks] of SCREENS) {
    await page.goto(path);
    await page.locator("main p.h-16").first().waitFor({ state: "attached" });
    await finger.down({ x: 200, y: 300 });
    await finger.by(0, 170);
    await page.getByText(words.text("pull.ready")).waitFor();
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === asks);
    await finger.up();
    await asked;
    await page.getByText(words.text("state.refreshed")).first().waitFor();
  }
});

test("is refetched by a flick whose last movement and release come in one frame", async ({ enter }) => {
  const { page, words } = await enter("flicker");
  await page.goto("/Mine");
  await page.locator("main p.h-16").first().waitFor({ state: "attached" });
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === SCREENS[0][1]);
  await page.evaluate(() => {
    const target = document.querySelector("main")!;
    const at = (clientY: number) => [new window.Touch({ identifier: 1, target, clientX: 200, clientY })];
    const say = (type: string, touches: globalThis.Touch[]) =>
      target.dispatchEvent(new TouchEvent(type, { bubbles: true, cancelable: true, touches }));
    say("touchstart", at(300));
    say("touchmove", at(470));
    say("touchend", []);
  });
  await asked;
  await page.getByText(words.text("state.refreshed")).first().waitFor();
});

test("the tile of the cities on Home opens the cities", async ({ enter }) => {
  const { page, words } = await enter("traveller");
  await page.goto("/Home");
  const tile = page.getByRole("main").getByRole("link", { name: words.text("home.citiesHint") });
  await tile.click();
  await page.getByRole("heading", { level: 1, name: words.text("city.title") }).waitFor();
  await page.getByRole("link", { name: /Seoul/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/Choose");
});
