import { readFileSync } from "node:fs";
import { createInstance, type TFunction } from "i18next";
import { FALLBACK_LOCALE, LOCALES, tagOf, type LocaleCode } from "#shared/locales.ts";

export type Texts = (locale: LocaleCode, key: string, values?: Record<string, string | number>) => string;

const FOLDER = new URL("../../locales/", import.meta.url);

let own: Promise<Texts> | undefined;

/** The site's texts in all languages, read once for the process. English stands in for what a language lacks. */
export const loadTexts = (): Promise<Texts> => (own ??= readTexts(FOLDER));

/** The same from any folder. */
export async function readTexts(folder: URL): Promise<Texts> {
  const files = LOCALES.map(({ tag }) => {
    const file = new URL(`${tag}.json`, folder);
    return [tag, { translation: JSON.parse(readFileSync(file, "utf8")) as object }] as const;
  });
  const i18n = createInstance();
  await i18n.init({
    resources: Object.fromEntries(files),
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
