import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROWS } from "#client/routes.tsx";
import { DEMO_GAMES, DEMO_MEMBERS, PUBLIC_LOGINS } from "#db/demo/demo.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { doLogin } from "#shared/contract/session.ts";
import { sendMessage } from "#shared/contract/support.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { luckdraw } from "#shared/contract/wheel.ts";
import { LOCALES } from "#shared/locales.ts";
import { newDevice, openBrowser } from "../support/browser.ts";
import { Client, eventually } from "../support/client.ts";
import { textFaults } from "../support/cut-texts.ts";
import { MIRRORED, MIRRORED_TEXTS, startMirroredSite } from "../support/mirrored-site.ts";
import { bet, openedScreens } from "../support/opened-screens.ts";
import { screenPaths } from "../support/screen-paths.ts";
import { settle, show } from "../support/settled-screen.ts";
import { bindAccount } from "../support/withdrawal-steps.ts";
import { wordsIn, wordsOf, type Words } from "../support/words.ts";

const GAME = DEMO_GAMES[0]!.key;
const otherTables = DEMO_GAMES.filter(({ kind }) => kind).map(({ key }) => `/Lottery?key=${key}`);
const MEMBERS = [...screenPaths(GAME), ...otherTables, "/nHomeDetail?id=lst_2&view=1", "/no/such/page"];
/** A member who is logged in is led away from some. */
const GUESTS = screenPaths(
  GAME,
  ROWS.filter(({ entry }) => entry !== "session"),
);
const OPENED = openedScreens(GAME);

/** Sizes of text, as a browser's setting gives them to the page. */
const SIZES = { "normal text": "16px", "text twice as large": "32px" };

const LANGUAGES: [code: string, direction: string, words: Words][] = [
  ...LOCALES.map(({ code, direction }): [string, string, Words] => [code, direction, wordsIn(code)]),
  [MIRRORED, "rtl", wordsOf(MIRRORED_TEXTS)],
];

let site: Awaited<ReturnType<typeof startMirroredSite>>;
let member: Client;
let round: string;

/** A member with something in each list. */
async function join(): Promise<void> {
  const [{ username, password } = PUBLIC_LOGINS.members[0]!] = PUBLIC_LOGINS.members;
  const { token } = await new Client(site.address).must(doLogin, { username, password });
  member = new Client(site.address, token);
  await member.topUp(1_000_000);
  round = await bet(member, "A,B,C,7,18");
  await bindAccount(member);
  await member.must(setUserWithdraw, { money: "1000", paypwd: DEMO_MEMBERS[0]!.payPin! });
  await member.must(sendMessage, { text: "When is my withdrawal paid?" });
  await member.must(luckdraw);
  await eventually(async () => {
    const { now_expect: drawn } = await member.must(lotteryInfo, { key: GAME });
    expect(drawn! >= round).toBe(true);
  }, 150_000);
}

beforeAll(async () => {
  site = await startMirroredSite();
  await join();
});
afterAll(() => site?.close());

async function pageFor(lang: string, token?: string): Promise<Page> {
  const visit = { lang, viewport: { width: 360, height: 640 }, ...(token && { token }) };
  const page = await (await newDevice(await openBrowser(), site.address, visit)).newPage();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/About");
  await page.locator("h1").waitFor();
  return page;
}

/** What is wrong with what is shown, in either size. */
async function faultsIn(page: Page, name: string, direction: string): Promise<string[]> {
  const found: string[] = [];
  if ((await page.evaluate(() => document.documentElement.dir)) !== direction)
    found.push(`${name} is not ${direction}`);
  for (const [size, px] of Object.entries(SIZES)) {
    await page.evaluate((px) => void (document.documentElement.style.fontSize = px), px);
    await settle(page);
    found.push(...(await textFaults(page)).map((fault) => `${name}, ${size}: ${fault}`));
  }
  await page.evaluate(() => void (document.documentElement.style.fontSize = ""));
  return found;
}

describe.each(LANGUAGES)(
  "nothing is cut off, too wide or over something else on a small phone in %s",
  (lang, direction, words) => {
    async function walk(token: string | undefined, paths: readonly string[]): Promise<string[]> {
      const page = await pageFor(lang, token);
      const found: string[] = [];
      for (const path of paths) {
        await show(page, path);
        found.push(...(await faultsIn(page, path, direction)));
      }
      await page.context().close();
      return found;
    }

    it("on any screen of a member", async () => {
      expect(await walk(member.token, MEMBERS)).toEqual([]);
    });

    it("on any screen of a guest", async () => {
      expect(await walk(undefined, GUESTS)).toEqual([]);
    });

    it("in anything that opens over a screen", async () => {
      const page = await pageFor(lang, member.token);
      const found: string[] = [];
      for (const [name, path, open] of OPENED) {
        await show(page, path);
        await open(page, words, { member, round });
        found.push(...(await faultsIn(page, name, direction)));
      }
      await page.context().close();
      expect(found).toEqual([]);
    });
  },
);
