import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleHead, bundleLeaf, BUNDLE_END } from "#shared/log/bundle.ts";
import { keyText } from "#shared/log/note.ts";
import { LOCALES } from "#shared/locales.ts";
import { entryOfLeaf, HOUSE, honestLog, ORIGIN } from "../log/honest-log.ts";
import { PROVEN } from "../log/evidence-of-app.ts";
import { faultsOf, leaveBrowser, openBrowser } from "../support/browser.ts";
import { readLocaleTexts, type Tag } from "../support/locale-texts.ts";
import { MemoryLog } from "../support/log-site.ts";
import { ROOT } from "../support/source-files.ts";
import { world } from "../support/world.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LOG = new MemoryLog(HOUSE).add(
  ...[...honestLog({ hours: 2, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] })].map(entryOfLeaf),
);
const locales = readLocaleTexts();
const textOf = (key: string, tag: Tag = "en") => locales.get(tag)!.get(`offline.${key}`)!;

let folder: string;
let browser: Browser;
let page: Page;
let faults: string[];
const inFolder = (name: string) => join(folder, name);

/** A copy of a log as one file. */
function bundle(entries: readonly Uint8Array[], log = LOG): string {
  const leaves = entries.map((entry, i) => bundleLeaf(Buffer.from(entry).toString(), i === entries.length - 1));
  return bundleHead(log.note(), keyText(log.signer.key)) + leaves.join("") + BUNDLE_END;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-offline-"));
  cpSync(join(ROOT, "dist/check.html"), inFolder("trio-check.html"));
  browser = await openBrowser();
});
afterAll(async () => {
  await leaveBrowser(browser);
  rmSync(folder, { recursive: true });
});

interface Device {
  locale?: string;
  theme?: "light" | "dark";
  width?: number;
}

/** Opens the saved file on a device without a network. */
async function open({ locale = "en-US", theme = "light", width = 390 }: Device = {}): Promise<void> {
  const context = await browser.newContext({ locale, colorScheme: theme, viewport: { width, height: 844 } });
  await context.setOffline(true);
  page = await context.newPage();
  faults = faultsOf(page);
  await page.goto(pathToFileURL(inFolder("trio-check.html")).href);
}
afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

const result = (of: "log" | "export" | "evidence") => page.locator(`#${of}-result`);
const verdictOf = (of: "log" | "export" | "evidence") => result(of).locator(".verdict").textContent();
/** What axe finds, of WCAG and of its own advice. */
async function axe(): Promise<string[]> {
  // The page's policy lets no script in but its own, so this one comes through the browser's tools.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
}

describe("the page that checks offline", () => {
  it("finds no fault with an honest copy in one file", async () => {
    writeFileSync(inFolder("log.json"), bundle(LOG.entries));
    await open();
    await page.setInputFiles("#log-file", inFolder("log.json"));
    expect(await verdictOf("log")).toBe(`✓ ${textOf("goodLog")}`);
    const text = await result("log").textContent();
    for (const fact of [ORIGIN, String(LOG.entries.length), "k3-1m"]) expect(text).toContain(fact);
    expect(await axe()).toEqual([]);
  });

  it("finds no fault with an honest copy in a folder, and says what is missing from another", async () => {
    await LOG.save(inFolder("site/log"));
    await open();
    await page.setInputFiles("#log-folder", inFolder("site"));
    expect(await verdictOf("log")).toBe(`✓ ${textOf("goodLog")}`);
    rmSync(inFolder("site/log/tile/entries/000"));
    await page.setInputFiles("#log-folder", inFolder("site"));
    await result("log").getByText(textOf("brokenLog")).waitFor();
    expect(await result("log").textContent()).toContain("tile/entries/000 is missing");
  });

  it("says in the reader's language what a log contradicts, and in exact words below", async () => {
    const at = LOG.entries.findIndex((entry) => Buffer.from(entry).includes('"kind":"draw"'));
    const spoiled = Buffer.from(LOG.entries[at]!)
      .toString()
      .replace(/"dice":\[[^\]]*\]/, '"dice":[6,6,6]');
    const log = new MemoryLog(HOUSE).add(
      ...LOG.entries.slice(0, at),
      Buffer.from(spoiled),
      ...LOG.entries.slice(at + 1),
    );
    writeFileSync(inFolder("spoiled.json"), bundle(log.entries, log));
    await open({ locale: "ko-KR", theme: "dark" });
    await page.setInputFiles("#log-file", inFolder("spoiled.json"));
    expect(await verdictOf("log")).toBe(`✗ ${textOf("badLog", "ko")}`);
    const found = result("log").getByText(textOf("found.dice", "ko"));
    await found.waitFor();
    await result("log").locator("summary").first().click();
    await result("log").getByText("k3-1m 20260302-0001: the seed gives other dice.").waitFor();
    expect(await axe()).toEqual([]);
    await page.selectOption("#language", "vi");
    expect(await verdictOf("log")).toBe(`✗ ${textOf("badLog", "vi")}`);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("vi");
  });

  it("takes no other file for a copy of a log", async () => {
    writeFileSync(inFolder("other.json"), "{}");
    await open();
    await page.setInputFiles("#log-file", inFolder("other.json"));
    expect(await verdictOf("log")).toBe(`✗ ${textOf("brokenLog")}`);
  });

  it("checks a member's export, byte by byte, and names the key", async () => {
    const w = await world();
    try {
      const { token } = await w.player("mia_1");
      const headers = { token: Buffer.from(token).toString("base64") };
      for (const format of ["json", "csv"]) {
        const { rawPayload } = await w.site.app.inject({ url: `/api/member/export?format=${format}`, headers });
        writeFileSync(inFolder(`data.${format}`), rawPayload);
        writeFileSync(inFolder(`changed.${format}`), rawPayload.toString().replace("mia_1", "mia_2"));
        writeFileSync(inFolder(`cut.${format}`), rawPayload.subarray(0, -9));
      }
      await open();
      for (const format of ["json", "csv"]) {
        const says = async (name: string) => {
          await page.setInputFiles("#export-file", inFolder(`${name}.${format}`));
          await result("export").locator(".verdict").waitFor();
          return verdictOf("export");
        };
        expect(await says("data")).toBe(`✓ ${textOf("goodExport")}`);
        expect(await says("changed")).toBe(`✗ ${textOf("badExport")}`);
        expect(await says("cut")).toBe(`✗ ${textOf("unsigned")}`);
      }
      await page.fill("#export-key", "ab".repeat(32));
      await page.setInputFiles("#export-file", inFolder("data.json"));
      expect(await verdictOf("export")).toBe(`✗ ${textOf("badExport")}`);
      expect(await axe()).toEqual([]);
    } finally {
      await w.close();
    }
  });

  it("says in the reader's language what a file of evidence proves", async () => {
    writeFileSync(inFolder("evidence.json"), await (await PROVEN["two heads of one size"]!()).evidence());
    await open({ locale: "ru-RU", width: 320 });
    await page.setInputFiles("#evidence-file", inFolder("evidence.json"));
    expect(await verdictOf("evidence")).toBe(`✓ ${textOf("goodEvidence", "ru")}`);
    await result("evidence").getByText(locales.get("ru")!.get("app.watch.found.fork")!).waitFor();
    await result("evidence").locator("summary").first().click();
    await result("evidence")
      .getByText(/^PROVEN: Two heads of/)
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await axe()).toEqual([]);
  });

  it("speaks every language, and fits a small phone in each", async () => {
    await open({ width: 320 });
    for (const { tag } of LOCALES) {
      await page.selectOption("#language", tag);
      expect(await page.title()).toBe(textOf("title", tag));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([tag, width]).toEqual([tag, 320]);
    }
    // It is saved already.
    expect(await page.locator("#save").isVisible()).toBe(false);
  });

  it("is saved from a site by one tap, and asks nobody for anything", async () => {
    const w = await world();
    try {
      const address = await w.listen();
      const context = await browser.newContext({ locale: "th-TH" });
      page = await context.newPage();
      faults = faultsOf(page);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${address}/check.html`);
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save a").click()]);
      expect(download.suggestedFilename()).toBe("trio-check.html");
      expect(readFileSync(await download.path())).toEqual(readFileSync(join(ROOT, "dist/check.html")));
      expect(new Set(asked)).toEqual(new Set(["/check.html"]));
    } finally {
      await w.close();
    }
  });
});
