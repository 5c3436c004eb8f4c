import { readFileSync } from "node:fs";
import { createInstance, type TFunction } from "i18next";
import { LOCALES, type LocaleCode } from "#shared/locales.ts";

export type Texts = (locale: LocaleCode, key: string, values?: Record<string, string | number>) => string;

/** The texts of all languages, read once. A missing key is a bug, so there is no fallback. */
export async function loadTexts(): Promise<Texts> {
  const files = LOCALES.map(({ tag }) => {
    const file = new URL(`../../locales/${tag}.json`, import.meta.url);
    return [tag, { translation: JSON.parse(readFileSync(file, "utf8")) as object }] as const;
  });
  const i18n = createInstance();
  await i18n.init({
    resources: Object.fromEntries(files),
    fallbackLng: false,
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
