/** The languages: the wire's code, the BCP 47 tag (which also names the file in `locales/`), the language's own name. */
export const LOCALES = [
  { code: "vn_vn", tag: "vi", name: "Tiếng Việt" },
  { code: "ko_kr", tag: "ko", name: "한국어" },
  { code: "ja_ja", tag: "ja", name: "日本語" },
  { code: "zh_cn", tag: "zh-CN", name: "简体中文" },
  { code: "zh-tw", tag: "zh-TW", name: "繁體中文" },
  { code: "en_us", tag: "en", name: "English" },
  { code: "es_spa", tag: "es", name: "Español" },
  { code: "ms_my", tag: "ms", name: "Bahasa Melayu" },
  { code: "th_th", tag: "th", name: "ไทย" },
  { code: "ru_ru", tag: "ru", name: "Русский" },
] as const;

export type LocaleCode = (typeof LOCALES)[number]["code"];
export const DEFAULT_LOCALE: LocaleCode = "vn_vn";

const byCode = new Map<string, (typeof LOCALES)[number]>(LOCALES.map((locale) => [locale.code, locale]));

/** The locale that a caller named, or the default for an unknown one. */
export function localeOf(code: unknown): LocaleCode {
  return (typeof code === "string" && byCode.get(code)?.code) || DEFAULT_LOCALE;
}

export function tagOf(code: LocaleCode): string {
  return byCode.get(code)!.tag;
}

/** A text that an operator entered: one for all languages, or one per language. */
export type LocalText = string | Partial<Record<LocaleCode, string>>;

/** The text for a reader: their language, else English, else the default language, else any. */
export function localText(text: LocalText, locale: LocaleCode): string {
  if (typeof text === "string") return text;
  return text[locale] ?? text.en_us ?? text[DEFAULT_LOCALE] ?? Object.values(text)[0] ?? "";
}

/** The same text with every language's part mapped. */
export function mapLocalText(text: LocalText, change: (part: string) => string): LocalText {
  if (typeof text === "string") return change(text);
  return Object.fromEntries(Object.entries(text).map(([code, part]) => [code, change(part)]));
}
