import type { Request } from "playwright-core";
import { expect } from "vitest";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { cityList, commentList, listingDetail, listingList } from "#shared/contract/listing.ts";
import { hotLottery, lotteryList, ownRounds } from "#shared/contract/lottery.ts";
import { messageList } from "#shared/contract/member.ts";
import { passkeyList } from "#shared/contract/passkeys.ts";
import { getUserInfo, ownInvites, sessionList } from "#shared/contract/session.ts";
import { systemConfig } from "#shared/contract/site.ts";
import { getLimits } from "#shared/contract/wallet.ts";
import { luckdrawLog, wheelSeeds } from "#shared/contract/wheel.ts";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { offerPrizes } from "../support/prizes.ts";
import { settle } from "../support/settled-screen.ts";
import { Touch } from "../support/touch.ts";

const test = browserTest({
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 1 });
  },
});

/** Each screen, and what it asks for again. */
const SCREENS: readonly (readonly [path: string, ...asks: AnyEndpoint[]])[] = [
  ["/Home", systemConfig, hotLottery, getUserInfo, ownRounds, wheelSeeds, listingList],
  ["/Mine", getUserInfo, ownRounds, messageList, getLimits],
  ["/Game", lotteryList, ownRounds, wheelSeeds],
  ["/Choose", cityList],
  ["/Sessions", sessionList],
  ["/Invites", ownInvites],
  ["/Passkeys", passkeyList],
  ["/luckDraw", luckdrawLog, wheelSeeds],
  ["/nHomeDetail?id=lst_1", listingDetail, commentList],
];
const isAskFor = ({ path }: AnyEndpoint, request: Request) => new URL(request.url()).pathname === `/api${path}`;

test.for(SCREENS)(
  "is refetched by pulling it down, with all that it shows, on %s",
  async ([path, ...asks], { enter }) => {
    const { page, words } = await enter(`puller_${path.replaceAll(/\W/g, "").slice(0, 12).toLowerCase()}`);
    const finger = await Touch.of(page);
    const askedFor = () => asks.map((one) => page.waitForRequest((request) => isAskFor(one, request)));
    await Promise.all([...askedFor(), page.goto(path)]);
    await page.locator("main p.h-16").first().waitFor({ state: "attached" });
    await settle(page);
    await finger.down({ x: 200, y: 300 });
    await finger.by(0, 170);
    await page.getByText(words.text("pull.ready")).waitFor();
    await Promise.all([...askedFor(), finger.up()]);
    await page.getByText(words.text("state.refreshed")).first().waitFor();
  },
);

test("is refetched by a flick whose last movement and release come in one frame", async ({ enter }) => {
  const { page, words } = await enter("flicker");
  await page.goto("/Mine");
  await page.locator("main p.h-16").first().waitFor({ state: "attached" });
  const asked = page.waitForRequest((request) => isAskFor(getUserInfo, request));
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
