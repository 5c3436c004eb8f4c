import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES, languagesOf, readFiles } from "#locales/languages.ts";
import { FEATURES, REFUSALS } from "#shared/refusal.ts";
import { completeTags } from "./support/glossary.ts";
import { keysFor, lackingOf, readLocaleTexts, TAGS, type Tag } from "./support/locale-texts.ts";

const all = readLocaleTexts();
const english = all.get("en")!;

/** `key: text` of every text of a language that breaks a rule; empty when all is well. */
function misfits(tag: Tag, fits: (text: string, key: string) => boolean): string[] {
  return [...all.get(tag)!].filter(([key, text]) => !fits(text, key)).map(([key, text]) => `${key}: ${text}`);
}

describe.each(TAGS)("the texts in %s", (tag) => {
  const texts = all.get(tag)!;
  const keys = keysFor(tag, english.keys());

  it("have no key that English lacks", () => {
    expect([...texts.keys()].filter((key) => !keys.has(key))).toEqual([]);
  });

  it("are all non-empty strings", () => {
    expect(misfits(tag, (text) => typeof text === "string" && text.trim() !== "")).toEqual([]);
  });
});

describe("the languages", () => {
  it("are found by their files, in the order in which they are offered", () => {
    expect(LANGUAGES.map(({ tag }) => tag)).toEqual(TAGS);
    expect(LANGUAGES.map(({ code }) => code)).toEqual([...new Set(LANGUAGES.map(({ code }) => code))]);
    for (const { tag, direction } of LANGUAGES) {
      expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
      expect(direction).toBe("ltr");
    }
  });

  it("are more by one with one more file, which need not have every text", () => {
    const folder = mkdtempSync(join(tmpdir(), "trio-locales-"));
    const write = (tag: string, file: object) => writeFileSync(join(folder, `${tag}.json`), JSON.stringify(file));
    const english = {
      done: "Done",
      app: { days_one: "{{count}} day", days_other: "{{count}} days", no: "No", yes: "Yes" },
    };
    write("en", { language: { code: "en_us", name: "English", direction: "ltr", place: 2 }, ...english });
    const arabic = { days_zero: "لا أيام", days_other: "{{count}} يوم" };
    write("ar", { language: { code: "ar_ar", name: "العربية", direction: "rtl", place: 1 }, app: arabic });
    write("glossary", { names: [] });
    expect(languagesOf(readFiles(folder))).toEqual([
      { code: "ar_ar", name: "العربية", direction: "rtl", tag: "ar", share: 0.25 },
      { code: "en_us", name: "English", direction: "ltr", tag: "en", share: 1 },
    ]);
  });
});

describe("the texts of every complete language", () => {
  const complete = completeTags();

  it("are all there", () => {
    expect(lackingOf(all, complete)).toEqual([]);
  });

  it("are missed by language and key, plural forms too", () => {
    const without = (tag: Tag, key: string) =>
      new Map(
        [...all].map(([one, texts]) => [
          one,
          one === tag ? new Map([...texts].filter(([name]) => name !== key)) : texts,
        ]),
      );
    expect(lackingOf(without("vi", "refusal.object.unknown"), complete)).toEqual(["vi refusal.object.unknown"]);
    expect(lackingOf(without("ru", "app.plan.days_few"), complete)).toEqual(["ru app.plan.days_few"]);
    expect(lackingOf(without("ru", "app.plan.days_few"), ["vi"])).toEqual([]);
  });

  it("have one for every refusal, in English first", () => {
    const names = [...Object.keys(REFUSALS), ...FEATURES.map((feature) => `feature.${feature}`)];
    // What is switched off has a text by feature, and none besides.
    expect(names.filter((name) => !english.has(`refusal.${name}`))).toEqual(["feature.off"]);
  });
});

describe("the keys of a language", () => {
  it("are English's, with a plural in each category of that language", () => {
    const keysIn = (tag: Tag) => [...keysFor(tag, ["done", "day_one", "day_other"])];
    expect(keysIn("vi")).toEqual(["done", "day_other"]);
    expect(keysIn("es-419")).toEqual(["done", "day_one", "day_many", "day_other"]);
    expect(keysIn("ru")).toEqual(["done", "day_one", "day_few", "day_many", "day_other"]);
  });
});

describe("the two Chinese files", () => {
  // The same characters in the same order: what one list has, the other file must write.
  const SIMPLIFIED = "们这个为请录账错误证单双开奖额码时间应务话无过还试关输选项员会网总数实将";
  const TRADITIONAL = "們這個為請錄帳錯誤證單雙開獎額碼時間應務話無過還試關輸選項員會網總數實將";
  const hasNone = (characters: string) => (text: string) => !new RegExp(`[${characters}]`, "u").test(text);

  it("are different", () => {
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

  it.each(WORDS)("find in %s the words that they take for a lost session", (tag, words) => {
    expect(all.get(tag)!.get("refusal.session.missing")).toContain(words);
  });
});
