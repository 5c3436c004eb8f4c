import { LANGUAGES, type Language } from "#locales/languages.ts";

/** The codes that the program itself names. A file in `locales/` may add others. */
export type LocaleCode =
  | "vn_vn"
  | "ko_kr"
  | "ja_ja"
  | "zh_cn"
  | "zh-tw"
  | "en_us"
  | "es_spa"
  | "ms_my"
  | "th_th"
  | "ru_ru";

export type Locale = Language & { code: LocaleCode };

/** Every language that has a file in `locales/`. */
export const LOCALES = LANGUAGES as readonly Locale[];

export const DEFAULT_LOCALE: LocaleCode = "vn_vn";
/** Stands in where a language lacks a text. Every text is written in it first. */
export const FALLBACK_LOCALE = "en_us" satisfies LocaleCode;

const byCode = new Map<string, Locale>(LOCALES.map((locale) => [locale.code, locale]));

/** The locale that a caller named, or the default for an unknown one. */
export function localeOf(code: unknown): LocaleCode {
  return (typeof code === "string" && byCode.get(code)?.code) || DEFAULT_LOCALE;
}

/** A language of ours, by its code on the wire. */
export const localeBy = (code: LocaleCode): Locale => byCode.get(code)!;

export const tagOf = (code: LocaleCode): string => localeBy(code).tag;

/** The first of the languages that a reader's browser wants which is ours; where we have another form of one, that form. */
export function wantedLocale(wanted: readonly string[]): Locale | undefined {
  for (const one of wanted) {
    const same = LOCALES.find(({ tag }) => tag.toLowerCase() === one.toLowerCase());
    const found = same ?? LOCALES.find(({ tag }) => writingOf(tag) === writingOf(one));
    if (found) return found;
  }
  return undefined;
}

/** A language and its script, by Unicode's likely subtags: `zh-HK` and `zh-TW` are one, and so is Spanish of all countries. */
function writingOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    // A browser may say anything, such as “C”.
    return tag;
  }
}

/** A text that an operator entered: one for all languages, or one per language. */
export type LocalText = string | Partial<Record<LocaleCode, string>>;

/** The text for a reader: their language, else English, else the default language, else any. */
export const localText = (text: LocalText, locale: LocaleCode): string => findText(text, locale).text;

/** A text for a reader. `lang` is its language's tag where that is not theirs; of one text for all it is not known. */
interface FoundText {
  text: string;
  lang?: string;
}

function findText(text: LocalText, locale: LocaleCode): FoundText {
  if (typeof text === "string") return { text };
  const own = text[locale];
  if (own !== undefined) return { text: own };
  const others: LocaleCode[] = [FALLBACK_LOCALE, DEFAULT_LOCALE, ...(Object.keys(text) as LocaleCode[])];
  const code = others.find((one) => text[one] !== undefined);
  return code === undefined ? { text: "" } : { text: text[code]!, lang: tagOf(code) };
}

/** Which texts of an object are not in the reader's language: the language's tag, by the name of the text's field. */
export type Langs = Record<string, string>;

/** A view's texts for a reader, and `langs` for those that are not in their language. */
export function localTexts<K extends string>(
  texts: Record<K, LocalText>,
  locale: LocaleCode,
): Record<K, string> & { langs?: Langs } {
  const found = Object.entries<LocalText>(texts).map(([name, text]) => [name, findText(text, locale)] as const);
  const langs = found.flatMap(([name, { text, lang }]) => (lang === undefined || text === "" ? [] : [[name, lang]]));
  const shown = Object.fromEntries(found.map(([name, { text }]) => [name, text])) as Record<K, string>;
  return langs.length === 0 ? shown : { ...shown, langs: Object.fromEntries(langs) as Langs };
}

/** The same text with every language's part mapped. */
export function mapLocalText(text: LocalText, change: (part: string) => string): LocalText {
  if (typeof text === "string") return change(text);
  return Object.fromEntries(Object.entries(text).map(([code, part]) => [code, change(part)]));
}

/** A text where there is room for one string: a map by language is stored as JSON. */
export const packText = (text: LocalText): string => (typeof text === "string" ? text : JSON.stringify(text));

/** A packed text for a reader. A string that is no such map is the text itself. */
export const readPacked = (packed: string, locale: LocaleCode): string => localText(unpackText(packed), locale);

/** A packed text for a reader, on a line of its own: one in another language says in which. */
export const namePacked = (packed: string, locale: LocaleCode): string => namedText(unpackText(packed), locale);

/** The same of a text by language. */
export function namedText(words: LocalText, locale: LocaleCode): string {
  const { text, lang } = findText(words, locale);
  return lang === undefined ? text : `${text} (${languageName(lang, locale)})`;
}

/** What a language is called in a reader's language. */
export const languageName = (tag: string, locale: LocaleCode): string =>
  new Intl.DisplayNames(tagOf(locale), { type: "language" }).of(tag) ?? tag;

export function unpackText(packed: string): LocalText {
  if (!packed.startsWith("{")) return packed;
  try {
    const map = JSON.parse(packed) as Record<string, unknown>;
    const isMap = Object.entries(map).every(([code, part]) => byCode.has(code) && typeof part === "string");
    return isMap ? map : packed;
  } catch {
    return packed;
  }
}
