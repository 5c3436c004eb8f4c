import { describe, expect } from "vitest";
import type { LocaleCode } from "#shared/locales.ts";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { byLength } from "../support/length.ts";
import type { Visitor } from "../support/visitor.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

/** Every built screen that shows an amount, with or without one in it yet. */
const SCREENS = [
  "/Mine",
  "/Lottery?key=k3-1m",
  "/GameRecord",
  "/Recharge",
  "/Channel?money=50",
  "/RechargeRecord",
  "/Withdraw",
  "/WithdrawRecord",
  "/Moneylog",
  "/Personalreport",
  "/Plans",
  "/Limits",
];

const LANGUAGES = byLength<LocaleCode[]>(["en_us", "th_th"], ["en_us", "ko_kr", "vn_vn", "th_th"]);

/** A site with this unit, which is chosen before the ledger's first row, and a member with a balance. */
const siteOf = (unit: string) =>
  browserTest({ furnish: (server) => operatorOf(server)("setting:set", "unit", unit) }).extend(
    "owner",
    { scope: "file" },
    async ({ server }) => {
      const member = await new Client(server.address).register("coin_1");
      await operatorOf(server)("recharge:credit", "coin_1", "1234", "--reason", "At the desk");
      return member;
    },
  );
const onPoints = siteOf("point");
const onEuros = siteOf("EUR");

/** A screen's text once it has come to rest. */
async function shownAt({ page }: Visitor, path: string, unit: string): Promise<string> {
  await walk(page, path);
  await page.locator(`[data-unit="${unit}"]`).waitFor();
  await expect.poll(() => page.locator("main .animate-pulse").count()).toBe(0);
  return page.locator("body").innerText();
}

describe("every screen with an amount", () => {
  onPoints.for(LANGUAGES)("says that it is points, in %s", async (lang, { come, owner }) => {
    const visitor = await come({ lang, token: owner.token! });
    const { page, words } = visitor;
    await page.goto("/Home");
    await page.getByText(words.text("unit.points").replace("{{amount}}", "").trim()).first().waitFor();
    const line = words.text("unit.pointLine");
    for (const path of SCREENS) {
      expect([path, await shownAt(visitor, path, "point")]).toEqual([path, expect.stringContaining(line)]);
    }
    await page.goto("/Messages");
    await page.getByText(words.text("messages.empty")).waitFor();
    expect(await page.locator("[data-unit]").count()).toBe(0);
  });

  onEuros("says the currency, and nothing of points, where the house plays for money", async ({ come, owner }) => {
    const visitor = await come({ token: owner.token! });
    await visitor.page.goto("/Home");
    await visitor.page.getByText(visitor.words.text("home.introMoney"), { exact: true }).waitFor();
    const line = visitor.words.text("unit.moneyLine").replace("{{unit}}", "Euro (EUR)");
    for (const path of SCREENS) {
      const shown = await shownAt(visitor, path, "EUR");
      expect([path, shown]).toEqual([path, expect.stringContaining(line)]);
      expect([path, shown.match(/\bpoints?\b/i)]).toEqual([path, null]);
    }
    expect(await shownAt(visitor, "/Mine", "EUR")).toContain("€1,234.00");
  });
});

describe("a game for money", () => {
  onEuros("waits for a licence, and is played under it once there is one", async ({ server, come, owner }) => {
    const visitor = await come({ token: owner.token! });
    const { page, words } = visitor;
    const missing = page.getByText(words.text("unit.unlicensed"));
    await page.goto("/Game");
    await missing.waitFor();
    await page.locator('a[href*="/Lottery?"]').first().click();
    await page.waitForURL(/Lottery/);
    await missing.waitFor();
    const big = page.getByRole("button", { name: /^Big/ });
    expect(await big.isDisabled()).toBe(true);
    await operatorOf(server)("setting:set", "licence", "MGA/B2C/000/2026");
    await missing.waitFor({ state: "detached" });
    await page.getByText("MGA/B2C/000/2026").waitFor();
    await big.click();
    await visitor.field("cart.stake").fill("1");
    await visitor.page.locator('button[type="submit"]:enabled').waitFor();
    await page.goto("/Game");
    await page.getByText("MGA/B2C/000/2026").waitFor();
  });
});

describe("the member's data", () => {
  onPoints("is downloaded from the settings, and from the limits", async ({ come, owner }) => {
    const visitor = await come({ token: owner.token! });
    const { page } = visitor;
    for (const [path, key] of [
      ["/Setting", "export.json"],
      ["/Limits", "export.csv"],
    ] as const) {
      await page.goto(path);
      const coming = page.waitForEvent("download");
      await visitor.button(key).click();
      const file = await coming;
      expect(file.suggestedFilename()).toMatch(/^trio-data-\d{8}\.(json|csv)$/);
      await page.getByText(file.suggestedFilename()).waitFor();
    }
  });

  onPoints("that breaks off, or cannot be fetched, says so and can be retried", async ({ come, owner }) => {
    const visitor = await come({ token: owner.token! });
    const { page, words } = visitor;
    await page.goto("/Setting");
    await page.route("**/api/member/export*", (route) => route.abort());
    await visitor.button("export.csv").click();
    await page
      .getByRole("alert")
      .filter({ hasText: words.text("state.away") })
      .waitFor();
    await page.unroute("**/api/member/export*");
    const coming = page.waitForEvent("download");
    await visitor.button("export.csv").click();
    expect((await coming).suggestedFilename()).toMatch(/\.csv$/);
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});
