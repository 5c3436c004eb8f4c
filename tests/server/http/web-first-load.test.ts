import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { screenTextsOf } from "#locales/home-texts.ts";
import { FILES, type TextTree } from "#locales/languages.ts";
import { PLURAL } from "../../support/locale-texts.ts";

const BUILT = join(import.meta.dirname, "../../../dist");
const ASSETS = join(BUILT, "assets");
const KIB = 1024;

const names = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
const page = readFileSync(join(BUILT, "index.html"), "utf8");
const textOf = (name: string) => readFileSync(join(ASSETS, name), "utf8");
const english = names.find((name) => /^en\.home-[\w-]{8}\.js$/.test(name))!;

const inPage = [...page.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
const importsOf = (name: string) =>
  [...textOf(name).matchAll(/(?:\bfrom|\bimport) ?["'`]\.\/([^"'`]+\.js)["'`]/g)].map(([, other]) => other!);

/** The files that a page waits for: these, and all that they import. */
function waitedFor(...first: string[]): Set<string> {
  const all = new Set(first);
  for (const name of all) for (const other of importsOf(name)) all.add(other);
  return all;
}

/** What the first visit to the home screen runs, in English. */
const first = [...waitedFor(...inPage, english)];
const kibOf = (files: readonly string[]) =>
  files.reduce((sum, name) => sum + statSync(join(ASSETS, `${name}.gz`)).size, 0) / KIB;

const keysOf = (tree: TextTree, before = ""): string[] =>
  Object.entries(tree).flatMap(([name, value]) => {
    const key = before + name.replace(PLURAL, "");
    return typeof value === "string" ? key : keysOf(value, `${key}.`);
  });

/** Whether code names a key, or its beginning before a part that is filled in. */
function namedIn(code: string): (key: string) => boolean {
  const found = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, key]) => key!);
  const whole = new Set(found(/["'`]([a-z]\w*(?:\.\w+)+)["'`]/gi));
  const begun = found(/["'`]((?:[a-z]\w*\.)+)(?:\$\{|["'`])/gi);
  return (key) => whole.has(key) || begun.some((start) => key.startsWith(start));
}

describe("what a first visit loads", () => {
  it("is at most 124 KiB of JavaScript on Home, in few files", () => {
    expect(first.length).toBeLessThanOrEqual(6);
    expect(kibOf(first)).toBeLessThanOrEqual(124);
  });

  it("is named by the page but for its texts, with the home screen: nothing is found file by file", () => {
    expect([...waitedFor(...inPage)].filter((name) => !inPage.includes(name))).toEqual([]);
    expect(textOf(inPage.find((name) => name.startsWith("app-"))!)).toContain("home.greeting");
  });

  it("never waits for what comes beside a screen or below Home", () => {
    const later = /^(beside|below)-/;
    expect(names.filter((name) => later.test(name))).toHaveLength(2);
    expect(names.filter((name) => importsOf(name).some((other) => later.test(other)))).toEqual([]);
  });

  it("has every text that its files name, and no other: all others come later", () => {
    const { home, others } = screenTextsOf(FILES.find(({ tag }) => tag === "en")!);
    const [own, later] = [keysOf(home), keysOf(others)];
    const asking = [...inPage, ...names.filter((name) => /^(LanguagePicker|sheets)-/.test(name))].map(textOf);
    const isNamed = namedIn(asking.join("\n"));
    expect(later.filter(isNamed)).toEqual([]);
    expect(own.filter((key) => !isNamed(key))).toEqual([]);
  });

  it("holds no schema: browsers check no call and no reply", () => {
    expect(names.filter((name) => /ZodError|\$ZodType|_zod\b/.test(textOf(name)))).toEqual([]);
  });
});
