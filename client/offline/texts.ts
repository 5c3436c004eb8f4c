import * as en from "#locales/en.json";
import * as es from "#locales/es.json";
import * as ja from "#locales/ja.json";
import * as ko from "#locales/ko.json";
import * as ms from "#locales/ms.json";
import * as ru from "#locales/ru.json";
import * as th from "#locales/th.json";
import * as vi from "#locales/vi.json";
import * as zhCN from "#locales/zh-CN.json";
import * as zhTW from "#locales/zh-TW.json";
import { LOCALES } from "#shared/locales.ts";

export type OfflineTexts = typeof en.offline;
export type Tag = (typeof LOCALES)[number]["tag"];

/** The page's texts in every language that has them: it has no network to fetch them by. */
const TEXTS: Partial<Record<Tag, OfflineTexts>> = {
  vi: vi.offline,
  ko: ko.offline,
  ja: ja.offline,
  "zh-CN": zhCN.offline,
  "zh-TW": zhTW.offline,
  en: en.offline,
  es: es.offline,
  ms: ms.offline,
  th: th.offline,
  ru: ru.offline,
};

/** A language's texts; English where it has none. */
export const textsOf = (tag: Tag): OfflineTexts => TEXTS[tag] ?? en.offline;

/** The language that a reader's browser asks for; English where we have none of them. */
export function tagFor(wanted: readonly string[]): Tag {
  for (const one of wanted) {
    const found = LOCALES.find(({ tag }) => tag === one) ?? LOCALES.find(({ tag }) => isSameLanguage(tag, one));
    if (found) return found.tag;
  }
  return "en";
}

function isSameLanguage(tag: string, wanted: string): boolean {
  const [language, ...rest] = wanted.split("-");
  if (language !== "zh") return tag === language;
  return tag === (rest.some((part) => ["Hant", "TW", "HK", "MO"].includes(part)) ? "zh-TW" : "zh-CN");
}
