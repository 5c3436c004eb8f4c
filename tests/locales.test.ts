import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LOCALES } from "#shared/locales.ts";
import { REFUSALS } from "#shared/refusal.ts";

type Tag = (typeof LOCALES)[number]["tag"];
type Tree = { [key: string]: string | Tree };

/** The texts of one language by their full key, as in `refusal.session.missing`. */
function textsOf(tag: Tag): Map<string, string> {
  const flatten = (tree: Tree, prefix: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]): [string, string][] =>
      typeof value === "object" ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
    );
  const file = new URL(`../locales/${tag}.json`, import.meta.url);
  return new Map(flatten(JSON.parse(readFileSync(file, "utf8")) as Tree, ""));
}

const all = new Map<Tag, Map<string, string>>(LOCALES.map(({ tag }) => [tag, textsOf(tag)]));
const english = all.get("en")!;
const placeholders = (text = ""): string => (text.match(/\{\{.*?\}\}/g) ?? []).sort().join(" ");

const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** The keys a language must have: English's, its plurals in the categories of that language. */
function keysFor(tag: Tag): Set<string> {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const inCategories = (key: string) => pluralCategories.map((category) => key.replace(PLURAL, `_${category}`));
  return new Set([...english.keys()].flatMap((key) => (PLURAL.test(key) ? inCategories(key) : [key])));
}

/** The English general form of a key: the `_other` of a plural, else the very text. */
const englishOf = (key: string): string | undefined => english.get(key.replace(PLURAL, "_other"));

/** Whether a text has the placeholders of English; "one day" and "no days" need no {{count}}. */
function hasPlaceholders(text: string, key: string): boolean {
  const wanted = englishOf(key);
  if (placeholders(text) === placeholders(wanted)) return true;
  return /_(?:zero|one)$/.test(key) && placeholders(text) === placeholders(wanted?.replaceAll("{{count}}", ""));
}

/** `key: text` of every text of a language that does not fit; empty when all is well. */
function misfits(tag: Tag, fits: (text: string, key: string) => boolean): string[] {
  return [...all.get(tag)!].filter(([key, text]) => !fits(text, key)).map(([key, text]) => `${key}: ${text}`);
}

describe.each(LOCALES.map(({ tag }) => tag))("the texts in %s", (tag) => {
  const texts = all.get(tag)!;
  const keys = keysFor(tag);

  it("lack no key that English has", () => {
    expect([...keys].filter((key) => !texts.has(key))).toEqual([]);
  });

  it("have no key that English lacks", () => {
    expect([...texts.keys()].filter((key) => !keys.has(key))).toEqual([]);
  });

  it("are all strings with something in them", () => {
    expect(misfits(tag, (text) => typeof text === "string" && text.trim() !== "")).toEqual([]);
  });

  it("use the placeholders that English uses", () => {
    expect(misfits(tag, hasPlaceholders)).toEqual([]);
  });

  it("give every refusal its words", () => {
    const refusals = Object.keys(REFUSALS).map((reason) => `refusal.${reason}`);
    expect(refusals.filter((key) => !texts.has(key))).toEqual([]);
  });
});

const SCRIPTS: [Tag, RegExp][] = [
  ["th", /\p{Script=Thai}/u],
  ["ko", /\p{Script=Hangul}/u],
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u],
  ["zh-CN", /\p{Script=Han}/u],
  ["zh-TW", /\p{Script=Han}/u],
  ["ru", /\p{Script=Cyrillic}/u],
];

describe("no text is left in another language", () => {
  it.each(SCRIPTS)("%s is written in its own script", (tag, script) => {
    expect(misfits(tag, (text) => script.test(text))).toEqual([]);
  });

  it.each<Tag>(["vi", "es", "ms"])("%s differs from English", (tag) => {
    expect(misfits(tag, (text, key) => text !== english.get(key) && text !== englishOf(key))).toEqual([]);
  });

  it("Vietnamese longer than 12 characters carries its diacritics", () => {
    const marked = (text: string) => /đ|\p{M}/iu.test(text.normalize("NFD"));
    expect(misfits("vi", (text) => text.length <= 12 || marked(text))).toEqual([]);
  });

  it("Thai and Russian share no text", () => {
    expect(misfits("th", (text, key) => text !== all.get("ru")!.get(key))).toEqual([]);
  });
});

describe("the two Chinese files", () => {
  // The same characters in the same order: what one list has, the other file must write.
  const SIMPLIFIED = "们这个为请录账错误证单双开奖额码时间应务话无过还试关输选项员会网总数实将";
  const TRADITIONAL = "們這個為請錄帳錯誤證單雙開獎額碼時間應務話無過還試關輸選項員會網總數實將";
  const hasNone = (characters: string) => (text: string) => !new RegExp(`[${characters}]`, "u").test(text);

  it("are not one and the same", () => {
    expect([...all.get("zh-TW")!.values()]).not.toEqual([...all.get("zh-CN")!.values()]);
  });

  it("keep simplified characters out of zh-TW", () => {
    expect(misfits("zh-TW", hasNone(SIMPLIFIED))).toEqual([]);
  });

  it("keep traditional characters out of zh-CN", () => {
    expect(misfits("zh-CN", hasNone(TRADITIONAL))).toEqual([]);
  });
});

describe("old clients", () => {
  const WORDS: [Tag, string][] = [
    ["vi", "Lỗi xác thực"],
    ["zh-CN", "认证错误"],
    ["zh-TW", "認證錯誤"],
  ];

  it.each(WORDS)("find in %s the words they take for a lost session", (tag, words) => {
    expect(all.get(tag)!.get("refusal.session.missing")).toContain(words);
  });
});
