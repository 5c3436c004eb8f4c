import { createInstance, type TFunction } from "i18next";
import { FILES, type LanguageFile } from "#locales/languages.ts";
import { FALLBACK_LOCALE, LOCALES, tagOf, type LocaleCode } from "#shared/locales.ts";

export type Texts = (locale: LocaleCode, key: string, values?: Record<string, string | number>) => string;

let own: Promise<Texts> | undefined;

/** The site's texts in all languages. English stands in for what a language lacks. */
export const loadTexts = (): Promise<Texts> => (own ??= textsOf(FILES));

/** The same from any files. */
export async function textsOf(files: readonly LanguageFile[]): Promise<Texts> {
  const i18n = createInstance();
  await i18n.init({
    resources: Object.fromEntries(files.map(({ tag, texts }) => [tag, { translation: texts }])),
    fallbackLng: tagOf(FALLBACK_LOCALE),
    interpolation: { escapeValue: false },
    lowerCaseLng: false,
    cleanCode: false,
    load: "currentOnly",
    showSupportNotice: false,
  } as object);
  const byLocale = new Map<LocaleCode, TFunction>(LOCALES.map(({ code, tag }) => [code, i18n.getFixedT(tag)]));
  const plain = new Map<string, string>();
  return (locale, key, values) => {
    if (values) return byLocale.get(locale)!(key, values);
    const name = `${locale} ${key}`;
    let text = plain.get(name);
    if (text === undefined) plain.set(name, (text = byLocale.get(locale)!(key)));
    return text;
  };
}
