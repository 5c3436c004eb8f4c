import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, type Tree } from "./support/locale-texts.ts";
import { readSourceFiles, ROOT } from "./support/source-files.ts";
import { isNode, nodesOf, spelling, type Node } from "./support/syntax.ts";

const files = readSourceFiles();
const linesOf = (text: string) => text.split("\n").length - 1;
const isTest = ({ path }: { path: string }) => path.startsWith("tests/");

describe("a file", () => {
  it("has at most 400 lines", () => {
    const long = files.filter(({ text }) => linesOf(text) > 400);
    expect(long.map(({ path, text }) => `${path}: ${linesOf(text)}`)).toEqual([]);
  });

  it("is named for what it does, as is its folder: nothing is a mere helper", () => {
    const HOMELESS = /^(util|helper|common|service|type|manager)s?$/i;
    const homeless = files.filter(({ path }) => path.split(/[/.-]/).some((word) => HOMELESS.test(word)));
    expect(homeless.map(({ path }) => path)).toEqual([]);
  });

  it("is named in kebab-case, a component after itself", () => {
    const NAMES: Record<string, RegExp> = {
      tsx: /^([A-Z][A-Za-z0-9]*(\.test)?|main|routes)\.tsx$/,
      ts: /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/,
    };
    const odd = files.filter(({ path }) => NAMES[path.split(".").at(-1)!]?.test(basename(path)) === false);
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it("is no barrel, except for the tables", () => {
    const barrels = files.filter(({ path }) => /\/index\.tsx?$/.test(path)).map(({ path }) => path);
    expect(barrels).toEqual(["db/schema/index.ts"]);
  });
});

describe("the top level", () => {
  it("has the expected entries and nothing else", () => {
    const FOLDERS = ["client", "console", "db", "docs", "locales", "server", "shared", "tests"];
    const PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];
    const FILES = [...PAGES, "package-lock.json", "package.json", "tsconfig.json"];
    // Generated files are listed in .gitignore.
    const made = readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n");
    const isMade = (name: string) => made.includes(name) || made.includes(`${name}/`) || name.endsWith(".log");
    const entries = readdirSync(ROOT, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
    const there = entries.filter(({ name }) => !isMade(name)).map((entry) => entry.name);
    expect(there.sort()).toEqual([...FOLDERS, ...FILES].sort());
  });
});

describe("a text key in the program", () => {
  const keysOf = (tree: Tree, prefix = ""): string[] =>
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === "string" ? [prefix + key.replace(/_(one|other)$/, "")] : keysOf(value, `${prefix}${key}.`),
    );
  const keys = keysOf(readTree("en"));

  interface Called extends Node {
    name?: string;
    property?: Called;
  }
  /** The last word of `a`, `a.b` or `a.b.c`. */
  const nameOf = (called: unknown) => (isNode(called) ? ((called as Called).property ?? called).name : undefined);

  /** The keys in a file's calls `text(locale, key)`: strings, templates, and both branches of a condition. */
  function askedFor({ type, callee, arguments: given }: Node): Node[] {
    if (type !== "CallExpression" || nameOf(callee) !== "text") return [];
    const [locale, key] = given as unknown[];
    return nameOf(locale) === "locale" ? choices(key) : [];
  }
  function choices(key: unknown): Node[] {
    if (!isNode(key)) return [];
    return key.type === "ConditionalExpression" ? [...choices(key.consequent), ...choices(key.alternate)] : [key];
  }
  const missing = (path: string, text: string) =>
    nodesOf(path, text)
      .flatMap(askedFor)
      .map(spelling)
      .filter((spells) => spells && !keys.some((key) => spells.test(key)))
      .map((spells) => `${path}: ${spells!.source}`);

  it("is in the texts", () => {
    const sources = files.filter((file) => !isTest(file) && /\.tsx?$/.test(file.path));
    expect(sources.flatMap(({ path, text }) => missing(path, text))).toEqual([]);
  });

  it("is reported when it is not", () => {
    expect(missing("a.ts", "text(locale, 'done'); deps.text(locale, `entry.${code}`);")).toEqual([]);
    expect(missing("a.ts", "text(locale, 'dun')")).toHaveLength(1);
    expect(missing("a.ts", "deps.text(locale, open ? 'done' : `nothing.${of}`)")).toHaveLength(1);
  });
});
