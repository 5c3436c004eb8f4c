import { describe, expect, it } from "vitest";
import { Client } from "../support/client.ts";
import { activate, hallFor } from "../support/video-hall.ts";
import { chooseSpeed, hasPlayedTo, playerOf, playVideo } from "../support/screen-video.ts";
import { Visitor } from "../support/visitor.ts";

const VIDEO = "vid_6";
const CHAPTERED = "vid_10";
const FREE_S = 15;

interface Window {
  stays?: true;
}

let name: string;
let guests = 0;
const hall = hallFor("first_guest", {
  whoComes: ({ server }) => new Client(server.address).register((name = `guest_${++guests}`)),
});

const offer = () =>
  hall.visitor.page.getByRole("dialog").filter({ hasText: hall.visitor.words.text("player.offerTitle") });

/** Watches until it is stopped, with the offer on the screen. */
async function watchToTheOffer(): Promise<void> {
  const { page } = hall.visitor;
  await playVideo(hall.visitor, VIDEO);
  await page.evaluate(() => ((window as Window).stays = true));
  // A busy machine may need the whole preview to choose.
  await page.evaluate(() => document.querySelector("video")!.pause());
  await chooseSpeed(hall.visitor, "2");
  await page.evaluate(() => void document.querySelector("video")!.play());
  await offer().waitFor();
  await offer().getByText("15-second").waitFor();
}

/** Whether it is paused in the preview, and only the segments of the preview were sent. */
async function isStopped(): Promise<boolean> {
  const { paused, currentTime, duration } = await playerOf(hall.visitor.page);
  return paused && currentTime <= FREE_S + 0.1 && duration < FREE_S + 4.2;
}

/** Waits until it has resumed, and returns its state. */
async function goneOn() {
  const { page } = hall.visitor;
  await hasPlayedTo(page, 18);
  await page.getByRole("dialog").first().waitFor({ state: "detached" });
  const { paused, playbackRate } = await playerOf(page);
  return { paused, playbackRate, stays: await page.evaluate(() => (window as Window).stays) };
}

/** On the page that was opened first, as fast as it was watched before. */
const GONE_ON = { paused: false, playbackRate: 2, stays: true };

describe("a viewer without membership", () => {
  it("sees the whole length on the timeline and the card, and is offered more beyond the free part", async () => {
    const { page, words } = hall.visitor;
    await playVideo(hall.visitor, VIDEO);
    await page.evaluate(() => document.querySelector("video")!.pause());
    const line = page.getByRole("slider", { name: words.text("player.seek") });
    const [, whole] = (await line.getAttribute("aria-valuetext"))!.split(" of ");
    await page.getByText(words.like("player.previewOf", { seconds: "15", length: whole! })).waitFor();
    await line.fill("20");
    await offer().waitFor();
    await expect.poll(isStopped).toBe(true);
    // Nothing is left to go on with.
    await page.goto("/Video");
    await page.getByRole("tabpanel").getByRole("listitem").first().waitFor();
    expect(await page.getByRole("region", { name: words.text("hall.watching") }).count()).toBe(0);
  });

  it("is stopped at 15 seconds, buys a plan, and plays on from there", async () => {
    const { page, words, button } = hall.visitor;
    await hall.visitor.topUp(1_000);
    await watchToTheOffer();
    await expect.poll(isStopped).toBe(true);
    await button("player.plans").click();
    await page
      .getByRole("button", { name: words.like("plan.buy") })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .filter({ hasText: words.like("plan.ask") })
      .getByRole("button", { name: words.like("plan.buy") })
      .click();
    expect(await goneOn()).toEqual(GONE_ON);
  });

  it("plays on as soon as the operator activates the membership", async () => {
    await watchToTheOffer();
    await expect.poll(isStopped).toBe(true);
    await activate(hall, name);
    expect(await goneOn()).toEqual(GONE_ON);
  });

  it("may decline, and sees the free part and nothing more", async () => {
    const { page, button } = hall.visitor;
    await watchToTheOffer();
    await expect.poll(isStopped).toBe(true);
    await button("player.notNow").click();
    await offer().waitFor({ state: "detached" });
    await page.keyboard.press("k");
    await offer().waitFor();
    await button("player.notNow").click();
    await offer().waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await hasPlayedTo(page, 6);
    await offer().waitFor();
    await expect.poll(isStopped).toBe(true);
  });

  it("does not get further by a chapter, which says that it comes with a membership", async () => {
    const { page, words, button } = hall.visitor;
    await playVideo(hall.visitor, CHAPTERED);
    const chapter = (time: string) => page.getByRole("button", { name: time });
    const locked = words.text("listing.afterActivation");
    await expect.poll(() => page.getByRole("button", { name: locked }).count()).toBe(2);
    expect(await chapter("0:12").innerText()).not.toContain(locked);
    expect(await chapter("0:16").innerText()).toContain(locked);
    await chapter("0:16").click();
    await offer().waitFor();
    await expect.poll(isStopped).toBe(true);
    await button("player.notNow").click();
    await chapter("0:04").click();
    await expect.poll(async () => (await playerOf(page)).currentTime).toBeLessThan(FREE_S - 5);
    expect(await offer().count()).toBe(0);
  });

  it("does not get further by a jump", async () => {
    const { page } = hall.visitor;
    await playVideo(hall.visitor, VIDEO);
    await page.evaluate(() => (document.querySelector("video")!.currentTime = 24));
    await offer().waitFor();
    await expect.poll(isStopped).toBe(true);
  });
});

describe("a guest without a session", () => {
  it("is sent to log in, and then to the video", async () => {
    const guest = await Visitor.come(hall.browser, hall.server.address);
    await guest.page.goto(`/PlayVideo?id=${VIDEO}`);
    await guest.page.waitForURL(/\/Login/);
    await guest.field("session.username").fill(name);
    await guest.field("session.password").fill(`${name} says`);
    await guest.button("session.login").click();
    await guest.page.waitForURL(/\/PlayVideo/);
    await guest.page.locator("video").waitFor();
    expect(guest.faults).toEqual([]);
    await guest.close();
  });
});
