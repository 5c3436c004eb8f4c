import { FILES, type LanguageFile } from "#locales/languages.ts";
import { translator, type Values } from "#locales/translate.ts";
import { FALLBACK_LOCALE, LOCALES, tagOf, type LocaleCode } from "#shared/locales.ts";

export type Texts = (locale: LocaleCode, key: string, values?: Values) => string;

let own: Texts | undefined;

/** The site's texts in all languages. English stands in for what a language lacks. */
export const loadTexts = (): Texts => (own ??= textsOf(FILES));

/** The same from any files. */
export function textsOf(files: readonly LanguageFile[]): Texts {
  const spoken = (tag: string) => files.filter((file) => file.tag === tag);
  const byLocale = new Map(
    LOCALES.map(({ code, tag }) => [code, translator([...spoken(tag), ...spoken(tagOf(FALLBACK_LOCALE))])]),
  );
  return (locale, key, values) => byLocale.get(locale)!(key, values);
}
