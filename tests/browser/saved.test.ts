import { readFileSync } from "node:fs";
import type { Locator, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { getUserInfo } from "#shared/contract/session.ts";
import { saveListing } from "#shared/contract/listing.ts";
import { savedVideoIds, saveVideo, setWatchPlace } from "#shared/contract/video.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import { hallFor, tab, tiles } from "../support/video-hall.ts";

const DEMO = new URL("../../db/demo/listings.json", import.meta.url);
const LISTED = JSON.parse(readFileSync(DEMO, "utf8")) as { code: string; name: { en_us: string } }[];

const hall = hallFor("keeps_things");

const save = (name: string) =>
  hall.visitor.page.getByRole("button", { name: hall.visitor.words.like("saved.save", { name }) });
const isSaved = (name: string) => save(name).and(hall.visitor.page.locator("[aria-pressed=true]"));
const said = (key: "saved.done" | "saved.dropped") =>
  hall.visitor.page.getByText(hall.visitor.words.text(key), { exact: true });
const cards = () => hall.visitor.page.getByRole("tabpanel").getByRole("listitem");

describe("what a member saved", () => {
  it("stands in its list, from the hall and from the video, until it is dropped", async () => {
    const { page, words } = hall.visitor;
    await page.goto("/Video");
    const name = (await tiles(page).nth(1).locator(".font-semibold").textContent())!;
    await save(name).first().click();
    await said("saved.done").waitFor();
    await page.getByRole("link", { name: words.text("saved.title") }).click();
    await page.waitForURL(/Saved/);
    await expect.poll(() => cards().count()).toBe(1);
    await cards().getByText(name).waitFor();
    await cards().getByRole("link").click();
    await page.waitForURL(/PlayVideo/);
    await isSaved(name).first().click();
    await said("saved.dropped").waitFor();
    await page.goto("/Saved");
    await page.getByText(words.text("saved.none.videos")).waitFor();
    expect(await cards().count()).toBe(0);
  });

  it("says so when it is no longer shown, and can be dropped", async () => {
    const { page, words, device } = hall.visitor;
    await page.goto("/nHomeList");
    const card = page.locator("main ul > li").first();
    const name = (await card.locator(".font-semibold.text-base").textContent())!;
    await save(name).click();
    await said("saved.done").waitFor();
    const { code } = LISTED.find((one) => one.name.en_us === name)!;
    await operatorOf(hall.server)("listing:pause", code);
    const other = await device.newPage();
    await other.goto("/Saved?tab=listings");
    await other.getByRole("tabpanel").getByText(words.text("listing.gone")).waitFor();
    await other.getByRole("button", { pressed: true }).click();
    await other.getByText(words.text("saved.none.listings")).waitFor();
    expect(await other.getByRole("tabpanel").getByRole("listitem").count()).toBe(0);
  });

  it("is what was wanted last, however slow the answers: no press is lost, nor the focus", async () => {
    const { page } = hall.visitor;
    await page.goto("/Video");
    const name = (await tiles(page).nth(2).locator(".font-semibold").textContent())!;
    const button = save(name).first();
    const seen = await looksOf(button, "aria-pressed");
    const letGo = await hold("**/api/video/save");
    await button.press("Space");
    await isSaved(name).first().waitFor();
    await page.keyboard.press("Space");
    letGo();
    await said("saved.dropped").waitFor();
    expect(await hall.member.must(savedVideoIds)).toEqual([]);
    expect(await seen()).toEqual(["true", "false"]);
    expect(await button.evaluate((it) => it === document.activeElement)).toBe(true);
  });
});

it("a lost answer is asked for again, and does not stand for a later press", async () => {
  const { page } = hall.visitor;
  await page.goto("/Video");
  const name = (await tiles(page).nth(2).locator(".font-semibold").textContent())!;
  const button = save(name).first();
  await button.and(page.locator("[aria-pressed=false]")).waitFor();
  const [before] = await Promise.all([hall.member.must(savedVideoIds), loseAnswer("**/api/video/save")]);
  const isOn = isSaved(name).first();
  const known = page.waitForResponse(/video\/savedIds/);
  await button.click();
  await known;
  await isOn.waitFor();
  await isOn.click();
  await said("saved.dropped").waitFor();
  expect(await hall.member.must(savedVideoIds)).toEqual(before);
  await button.click();
  await said("saved.done").waitFor();
  expect(await hall.member.must(savedVideoIds)).toHaveLength(before.length + 1);
  await isOn.click();
  await expect.poll(() => hall.member.must(savedVideoIds)).toEqual(before);
});

/** The server does what it is asked next, and its answer gets lost. */
async function loseAnswer(path: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await hall.visitor.page.route(path, lose, { times: 1 });
}

/** Answers come once they are let go. */
async function hold(path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await hall.visitor.page.route(path, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Notes each value of an attribute from now on. */
async function looksOf(element: Locator, name: string): Promise<() => Promise<string[]>> {
  const looks = await element.evaluateHandle((it, name) => {
    const seen: string[] = [];
    new MutationObserver(() => seen.push(it.getAttribute(name)!)).observe(it, { attributeFilter: [name] });
    return seen;
  }, name);
  return () => looks.jsonValue();
}

it("the history has what was opened, and is cleared with one tap", async () => {
  const { page, words } = hall.visitor;
  await page.goto("/nHomeList");
  await page.locator("main ul > li").nth(1).getByRole("link").click();
  await page.waitForURL(/nHomeDetail/);
  const opened = page.waitForResponse(/xuanfei\/open/);
  await page.reload();
  await opened;
  await page.goto("/Saved");
  await tab(page, words.text("saved.tabs.opened")).click();
  await expect.poll(() => cards().count()).toBe(1);
  await page.getByRole("button", { name: words.text("saved.clear") }).click();
  await page.getByText(words.text("saved.none.opened")).waitFor();
  expect(await cards().count()).toBe(0);
});

it("no history is kept of watched videos once the member turns it off", async () => {
  const { page, words } = hall.visitor;
  const watch = () => hall.member.must(setWatchPlace, { id: "vid_1", position_ms: "9000" });
  // What was played before may be kept, too.
  const watched = cards().filter({ has: page.locator('a[href="/PlayVideo?id=vid_1"]') });
  const keep = page.getByRole("checkbox", { name: words.text("saved.keep") });
  await watch();
  await page.goto("/Saved?tab=watched");
  await expect.poll(() => watched.count()).toBe(1);
  // The switch shows at once what was asked for, and is in force once the server has answered.
  const answered = async () => {
    const response = await page.waitForResponse(/video\/keepHistory/);
    expect([response.status(), await response.json()]).toMatchObject([200, { code: 200 }]);
  };
  await Promise.all([answered(), keep.uncheck()]);
  await page.getByText(words.text("saved.keepOff")).waitFor();
  await page.getByText(words.text("saved.none.watched")).waitFor();
  await watch();
  await page.reload();
  await page.getByText(words.text("saved.none.watched")).waitFor();
  expect(await keep.isChecked()).toBe(false);
  await Promise.all([answered(), keep.check()]);
  await page.getByText(words.text("saved.keepOn")).waitFor();
  await watch();
  await page.reload();
  await expect.poll(() => watched.count()).toBe(1);
});

it("a history that is turned off and on again before the answer is on", async () => {
  const { page, words } = hall.visitor;
  const keep = page.getByRole("checkbox", { name: words.text("saved.keep") });
  await page.goto("/Saved?tab=watched");
  expect(await keep.isChecked()).toBe(true);
  const letGo = await hold("**/api/video/keepHistory");
  const answered = async (on: string) => {
    const isOf = (form: string | null) => new URLSearchParams(form ?? "").get("on") === on;
    return page.waitForResponse((one) => one.url().includes("keepHistory") && isOf(one.request().postData()));
  };
  const both = Promise.all([answered("0"), answered("1")]);
  await keep.uncheck();
  await keep.check();
  letGo();
  await both;
  expect((await hall.member.must(getUserInfo)).keeps_history).toBe(1);
  expect(await keep.isChecked()).toBe(true);
});

it("a shared address opens the video after the log-in it asks for", async () => {
  const { page, button } = hall.visitor;
  const address = await openShared("/PlayVideo?id=vid_3");
  await page.waitForURL(/Login/);
  await hall.visitor.field("session.username").fill("keeps_things");
  await hall.visitor.field("session.password").fill("keeps_things says");
  await button("session.login").click();
  await page.waitForURL(/PlayVideo\?id=vid_3/);
  expect(page.url()).toBe(address);
});

it("a listing of a city is shared by an address that guests may open", async () => {
  const { page } = hall.visitor;
  await page.goto("/nHomeList");
  const path = (await page.locator('main a[href^="/nHomeDetail?id="]').first().getAttribute("href"))!;
  const address = await openShared(path.replace("/nHomeDetail", "/Profile"));
  await page.locator("main dl").first().waitFor();
  expect(page.url()).toBe(address);
  expect(address.endsWith(path)).toBe(true);
});

/** Copies the address of a screen, and opens it as a guest. */
async function openShared(path: string): Promise<string> {
  const { page, words, device, button } = hall.visitor;
  await device.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(path);
  await page.evaluate(() => Object.defineProperty(navigator, "share", { value: undefined }));
  await button("action.share").click();
  await page.getByText(words.text("action.linkCopied")).waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => localStorage.removeItem("token"));
  await page.goto(address);
  return address;
}

it("the first pictures of a list are not lazy: one of them is the largest of its screen", async () => {
  const { member, visitor } = hall;
  const { page } = visitor;
  await member.must(saveVideo, { id: "vid_2", on: "1" }, "first-video");
  await member.must(saveListing, { id: "lst_1", on: "1" }, "first-listing");
  await member.must(setWatchPlace, { id: "vid_1", position_ms: "9000" });
  for (const [path, pictures] of [
    ["/Video", "main ul.swiper-no-swiping img"],
    ["/Gallery", "main li img"],
    ["/List?id=cty_1", "main li img"],
    ["/Saved", "main li img"],
    ["/Saved?tab=listings", "main li img"],
  ] as const) {
    await page.goto(path);
    const loading = await page.locator(pictures).first().getAttribute("loading");
    expect([path, loading]).toEqual([path, "eager"]);
  }
});
