import { FILES, type LanguageFile } from "#locales/languages.ts";
import { Dictionary } from "#shared/dictionary.ts";
import { FALLBACK_LOCALE, tagOf, type LocaleCode } from "#shared/locales.ts";

export type Texts = (locale: LocaleCode, key: string, values?: Record<string, string | number>) => string;

let own: Texts | undefined;

/** The site's texts in all languages. English stands in for what a language lacks. */
export const siteTexts = (): Texts => (own ??= textsOf(FILES));

/** The same from any files. */
export function textsOf(files: readonly LanguageFile[]): Texts {
  const dictionary = new Dictionary(tagOf(FALLBACK_LOCALE));
  for (const { tag, texts } of files) dictionary.add(tag, texts);
  const plain = new Map<string, string>();
  return (locale, key, values) => {
    if (values) return dictionary.text(tagOf(locale), key, values);
    const name = `${locale} ${key}`;
    let text = plain.get(name);
    if (text === undefined) plain.set(name, (text = dictionary.text(tagOf(locale), key)));
    return text;
  };
}
