import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chanceFormat } from "#shared/format.ts";
import { LOCALES } from "#shared/locales.ts";
import { BrowserAuthenticator } from "../support/browser-authenticator.ts";
import { faultsOf, leaveBrowser, newDevice, openBrowser, PHONE } from "../support/browser.ts";
import { axe } from "../support/console-axe.ts";
import { ConsoleHere } from "../support/console.ts";
import { pngOf } from "../support/pictures.ts";
import { world, type Player, type World } from "../support/world.ts";
import { ask } from "../server/admin/operate.ts";
import { prize } from "../server/wheel/wheel-world.ts";

describe.each([
  { name: "a desk", viewport: { width: 1280, height: 800 }, theme: "light" as const },
  { name: "a phone", viewport: PHONE, theme: "dark" as const },
])("texts at the console on $name", ({ viewport, theme }) => {
  let w: World;
  let mia: Player;
  let here: ConsoleHere;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    w = await world();
    mia = await w.player("mia_1");
    here = await ConsoleHere.open(w);
    page = await (await newDevice(await openBrowser(), here.origin, { viewport, theme })).newPage();
    await BrowserAuthenticator.on(page);
    await page.goto(await here.invite("anna", "owner"));
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("heading", { name: "Queues" }).waitFor();
    faults = faultsOf(page);
  });
  afterAll(async () => {
    await leaveBrowser(await openBrowser());
    await here.close();
    await w.close();
  });

  const preview = () => page.getByRole("region", { name: "Preview" });
  const readIn = (code: string) => preview().getByLabel("As members read it in").selectOption(code);
  const open = async (command: string) => {
    await page.goto(`${here.origin}/#/commands/${command}`);
    await page.getByRole("form", { name: command }).waitFor();
  };
  const fields = (label: string) => page.locator(".field").filter({ hasText: label });
  const isFine = async () => {
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect([await axe(page), isWide]).toEqual([[], false]);
  };

  it("of a notice have a field for each language, and a preview of what members read where one is empty", async () => {
    await open("notice:add");
    for (const label of ["Title of the notice", "Text of the notice"])
      await fields(label).getByRole("button", { name: "A text for each language" }).click();
    const [title, text] = [fields("Title of the notice"), fields("Text of the notice")];
    for (const { name } of LOCALES) expect(await title.getByLabel(name).count()).toBe(1);
    await title.getByLabel("English").fill("Maintenance");
    await title.getByLabel("한국어").fill("점검");
    await text.getByLabel("English").fill("We are away\nfor an hour.");
    await title.getByText("they read English, “Maintenance”").first().waitFor();
    await readIn("ko_kr");
    await preview().getByText("점검").waitFor();
    await preview().getByText("What has no text in 한국어 they read in English.").waitFor();
    await isFine();
    await page.getByRole("button", { name: "Do it" }).click();
    await page.getByRole("status").filter({ hasText: "is published" }).waitFor();
    const read = async (lang: string) => (await mia.call("/notice/getNoticeList", {}, { lang, method: "GET" })).data[0];
    expect(await read("ko_kr")).toMatchObject({ name: "점검", text: "We are away\nfor an hour." });
    expect(await read("th_th")).toMatchObject({ name: "Maintenance" });
  });

  it("of a banner stand over the picture that was chosen, before it is shown to anybody", async () => {
    await open("banner:add");
    await page.getByLabel("Picture", { exact: true }).setInputFiles({
      name: "beach.png",
      mimeType: "image/png",
      buffer: Buffer.from(await pngOf(780, 360)),
    });
    await fields("Words over the picture").getByRole("textbox").fill("Summer");
    await preview().getByText("Summer").waitFor();
    expect(
      await preview()
        .locator("img")
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBe(780);
    await isFine();
  });

  it("of prizes are shown with the chances that members will be shown", async () => {
    await open("prize:set");
    const shown = (weight: number, title: string) => {
      const { title: _title, ...rest } = prize(title, { weight });
      return { ...rest, title: { en_us: title, ja_ja: `${title} です` } };
    };
    const list = [
      { ...shown(1, "Rare"), kind: "points", amount: 100 },
      shown(2, "Common"),
      { ...shown(5, "Gone"), stock: 0 },
    ];
    const buffer = Buffer.from(JSON.stringify(list));
    await page
      .getByLabel("List of prizes (JSON)")
      .setInputFiles({ name: "prizes.json", mimeType: "application/json", buffer });
    await readIn("ja_ja");
    await preview().getByText("Rare です").waitFor();
    await page.getByText("a spin gives 33.33 in points in the long run").waitFor();
    const previewed = await preview().getByRole("listitem").locator("b").allTextContents();
    await isFine();
    await page.locator('progress[value="1"]').waitFor();
    await page.getByRole("button", { name: "Do it, with your passkey" }).click();
    await page.getByRole("status").filter({ hasText: "prizes are on the wheel now" }).waitFor();
    const { data } = await mia.call("/luckdrawlist", {}, { lang: "ja_ja" });
    const format = chanceFormat("ja");
    expect(previewed).toEqual((data as { probability: number }[]).map(({ probability }) => format(probability)));
    expect(previewed).toHaveLength(2);
  });

  it("of plans are shown with what they cost, and what a day of them does", async () => {
    await open("plan:set");
    const list = [{ id: "plan_30", name: { en_us: "A month", de_de: "x" }, days: 30, price: 1_500 }];
    const choose = (text: string) =>
      page
        .getByLabel("List of plans (JSON)")
        .setInputFiles({ name: "plans.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await choose("{}");
    await page.getByText("This file is no list of plans.").waitFor();
    await choose(JSON.stringify(list));
    await preview().getByText("A month").waitFor();
    const prices = page.getByRole("list", { name: "Prices" }).getByRole("listitem");
    expect(await prices.allTextContents()).toEqual(["plan_301,500 for 30 days, 50 a day"]);
    await isFine();
  });

  it("of a game's options stand beside what they pay and return", async () => {
    await open("lottery:add");
    const table = preview().getByRole("table");
    await table.getByRole("row").nth(1).waitFor();
    await page.getByLabel("Kind of game").fill("dice-pair");
    await table.getByRole("cell", { name: "Any double" }).waitFor();
    await isFine();
    const previewed = await table
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
    await ask(w, "lottery:add", "pair-1m", "--name", "Pairs", "--period", "60", "--kind", "dice-pair");
    const { data } = await mia.call("/Lottery/getLotteryPeilv", { id: "lot_1" }, { lang: "en_us", method: "GET" });
    const percent = chanceFormat("en");
    expect(previewed).toEqual(
      (data as { name: string; pays: string[]; probability: number; rtp: number }[]).map(
        ({ name, pays, probability, rtp }) => [name, pays.join(" / "), percent(probability), percent(rtp)],
      ),
    );
  });

  it("of a setting are shown as members read them", async () => {
    await page.goto(`${here.origin}/#/settings`);
    const form = page.getByRole("form", { name: "kefu_hours", exact: true });
    await form.getByRole("button", { name: "A text for each language" }).click();
    await form.getByLabel("English").fill("9 to 18");
    await form.getByLabel("As members read it in").selectOption("ru_ru");
    await form.getByText("What has no text in Русский they read in English.").waitFor();
    expect(await form.locator(".phone").textContent()).toBe("9 to 18");
    await isFine();
  });

  it("finds no fault on any of its pages", () => {
    expect(faults).toEqual([]);
  });
});
