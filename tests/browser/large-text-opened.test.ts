import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { fillCatalogue } from "../support/catalogue.ts";
import { Client, eventually } from "../support/client.ts";
import { textFaults } from "../support/cut-texts.ts";
import { importVideos } from "../support/import-videos.ts";
import { bet, openedScreens } from "../support/opened-screens.ts";
import { offerPrizes } from "../support/prizes.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { settle, show } from "../support/settled-screen.ts";
import { operatorOf, prepare, PIN } from "../support/withdrawal-steps.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { wordsIn } from "../support/words.ts";

/** A member with something in each list, in large figures. */
async function joinWithContent(server: { address: string } & Parameters<typeof operatorOf>[0]) {
  const member = await new Client(server.address).register("looker");
  await prepare(member, 100_000);
  await operatorOf(server)("recharge:credit", "looker", "25000", "--reason", "Paid at the desk");
  const round = await bet(member, "A,B,C,7,18");
  await member.must(setUserWithdraw, { money: "1000", paypwd: PIN });
  await eventually(async () => {
    const { expect: next } = await member.openRound(TEN_SECONDS.key);
    expect(next).not.toBe(round);
  });
  return { member, token: member.token!, round };
}

const test = browserTest({
  furnish: async (server) => {
    await offerPrizes(server);
    await fillCatalogue(server, { seoul: 1, hanoi: 3 });
    await importVideos(server, { size: "160x90", seconds: 20 });
    const plans = join(server.folder, "plans.json");
    writeFileSync(plans, JSON.stringify([{ id: "plan_30", name: { en_us: "A month" }, days: 30, price: 300 }]));
    await operatorOf(server)("plan:set", plans);
  },
  games: [TEN_SECONDS],
}).extend("member", { scope: "file" }, ({ server }) => joinWithContent(server));

describe.each(["vn_vn", "ms_my"] as const)("text twice as large is cut off nowhere on a small phone in %s", (lang) => {
  const visit = (token: string) => ({ lang, token, viewport: { width: 360, height: 640 } });
  const enlarge = (page: Page) => page.evaluate(() => void (document.documentElement.style.fontSize = "32px"));

  test.for(openedScreens(TEN_SECONDS.key))(
    "in %s, on %s",
    async ([, path, open], { pageFor, member: { token, ...looker } }) => {
      const page = await pageFor(visit(token));
      await page.goto("/About");
      await page.locator("h1").waitFor();
      await enlarge(page);
      await show(page, path);
      await open(page, wordsIn(lang), looker);
      await settle(page);
      expect(await textFaults(page)).toEqual([]);
    },
  );
});
