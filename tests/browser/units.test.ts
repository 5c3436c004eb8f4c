import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LocaleCode } from "#shared/locales.ts";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";
import { wordsIn } from "../support/words.ts";

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
  "/Messages",
];

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  await visitor.close();
  await server.close();
});

/** A member with a balance, on a site with this unit: it is chosen before the ledger's first row. */
async function open(unit: string): Promise<void> {
  server = await ServerProcess.start();
  await operator("setting:set", "unit", unit);
  visitor = await Visitor.come(browser, server.address);
  await visitor.register("coin_1");
  if (unit === "point") await visitor.topUp(1_234);
  else await operator("recharge:credit", "coin_1", "1234", "--reason", "At the desk");
}

async function operator(...words: string[]): Promise<void> {
  const { code, out } = await server.run("server/admin/main.ts", ...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${out}`);
}

/** A screen's text once it has come to rest. */
async function shownAt(path: string, unit: string): Promise<string> {
  const { page } = visitor;
  await page.goto(path);
  await page.locator(`[data-unit="${unit}"]`).waitFor();
  await page
    .locator("main .animate-pulse")
    .waitFor({ state: "detached", timeout: 5_000 })
    .catch(() => {});
  return page.locator("body").innerText();
}

describe("every screen with an amount", () => {
  it("says that it is points, in each language", async () => {
    await open("point");
    const { page } = visitor;
    for (const lang of ["en_us", "ko_kr", "vn_vn", "th_th"] as LocaleCode[]) {
      await page.evaluate((code) => localStorage.setItem("viodeLang", code), lang);
      const words = wordsIn(lang);
      for (const path of SCREENS) {
        expect([path, await shownAt(path, "point")]).toEqual([
          path,
          expect.stringContaining(words.text("unit.pointLine")),
        ]);
      }
      await page.goto("/Home");
      await page.getByText(words.text("unit.points").replace("{{amount}}", "").trim()).first().waitFor();
    }
  });

  it("says the currency, and nothing of points, where the house plays for money", async () => {
    await open("EUR");
    const { words } = visitor;
    const line = words.text("unit.moneyLine").replace("{{unit}}", "Euro (EUR)");
    for (const path of SCREENS) {
      const shown = await shownAt(path, "EUR");
      expect([path, shown]).toEqual([path, expect.stringContaining(line)]);
      expect([path, shown.match(/\bpoints?\b/i)]).toEqual([path, null]);
    }
    expect(await shownAt("/Mine", "EUR")).toContain("€1,234.00");
    expect(visitor.faults).toEqual([]);
  });
});

describe("a game for money", () => {
  it("waits for a licence, and is played under it once there is one", async () => {
    await open("EUR");
    const { page, words } = visitor;
    const missing = page.getByText(words.text("unit.unlicensed"));
    await page.goto("/Game");
    await missing.waitFor();
    await page.locator('a[href*="/Lottery?"]').first().click();
    await page.waitForURL(/Lottery/);
    await missing.waitFor();
    await page.getByRole("button", { name: /^Big/ }).click();
    expect(await visitor.button("cart.place").isDisabled()).toBe(true);
    await operator("setting:set", "licence", "MGA/B2C/000/2026");
    await missing.waitFor({ state: "detached" });
    await page.getByText("MGA/B2C/000/2026").waitFor();
    expect(await visitor.button("cart.place").isDisabled()).toBe(false);
    await page.goto("/Game");
    await page.getByText("MGA/B2C/000/2026").waitFor();
  });
});

describe("the member's data", () => {
  it("is downloaded from the settings, and from the limits", async () => {
    await open("point");
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

  it("that breaks off, or cannot be fetched, says so and can be retried", async () => {
    await open("point");
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
