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

/** The languages that may lack texts: English stands in. All others are complete. */
export const PARTIAL_TAGS: readonly string[] = [];

export type LocaleCode = (typeof LOCALES)[number]["code"];
export const DEFAULT_LOCALE: LocaleCode = "vn_vn";
/** Stands in where a language lacks a text. Every text is written in it first. */
export const FALLBACK_LOCALE = "en_us" satisfies LocaleCode;

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
  return text[locale] ?? text[FALLBACK_LOCALE] ?? text[DEFAULT_LOCALE] ?? Object.values(text)[0] ?? "";
}

/** The same text with every language's part mapped. */
export function mapLocalText(text: LocalText, change: (part: string) => string): LocalText {
  if (typeof text === "string") return change(text);
  return Object.fromEntries(Object.entries(text).map(([code, part]) => [code, change(part)]));
}

/** A text where there is room for one string: a map by language is stored as JSON. */
export const packText = (text: LocalText): string => (typeof text === "string" ? text : JSON.stringify(text));

/** A packed text for a reader. A string that is no such map is the text itself. */
export function readPacked(packed: string, locale: LocaleCode): string {
  return localText(unpack(packed), locale);
}

function unpack(packed: string): LocalText {
  if (!packed.startsWith("{")) return packed;
  try {
    const map = JSON.parse(packed) as Record<string, unknown>;
    const isMap = Object.entries(map).every(([code, part]) => byCode.has(code) && typeof part === "string");
    return isMap ? map : packed;
  } catch {
    return packed;
  }
}
