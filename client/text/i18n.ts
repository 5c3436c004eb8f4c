import { createInstance } from "i18next";
import type english from "#locales/en.json";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { FALLBACK_LOCALE, localeOf, LOCALES, PARTIAL_TAGS, tagOf, type LocaleCode } from "#shared/locales.ts";

type Words = (typeof english)["app"] & Pick<typeof english, "option">;
type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
type Bare<K extends string> = K extends `${infer Base}_${Plural}` ? Base : K;
type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? Bare<K> : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Every text a screen can show: its own, and the names of what can be chosen in a game, which the server says too. */
export type TextKey = KeysOf<Words>;
export type Text = (key: TextKey, values?: Record<string, string | number>) => string;

type Tag = (typeof LOCALES)[number]["tag"];

/** Each language is a file of its own, fetched when it is first wanted. */
const FILES: Record<Tag, () => Promise<object>> = {
  vi: () => import("#locales/vi.json").then(({ app, option }) => ({ ...app, option })),
  ko: () => import("#locales/ko.json").then(({ app, option }) => ({ ...app, option })),
  ja: () => import("#locales/ja.json").then(({ app, option }) => ({ ...app, option })),
  "zh-CN": () => import("#locales/zh-CN.json").then(({ app, option }) => ({ ...app, option })),
  "zh-TW": () => import("#locales/zh-TW.json").then(({ app, option }) => ({ ...app, option })),
  en: () => import("#locales/en.json").then(({ app, option }) => ({ ...app, option })),
  es: () => import("#locales/es.json").then(({ app, option }) => ({ ...app, option })),
  ms: () => import("#locales/ms.json").then(({ app, option }) => ({ ...app, option })),
  th: () => import("#locales/th.json").then(({ app, option }) => ({ ...app, option })),
  ru: () => import("#locales/ru.json").then(({ app, option }) => ({ ...app, option })),
};

const FALLBACK = tagOf(FALLBACK_LOCALE) as Tag;
const i18n = createInstance();
const started = i18n.init({
  resources: {},
  fallbackLng: FALLBACK,
  load: "currentOnly",
  cleanCode: false,
  interpolation: { escapeValue: false },
  showSupportNotice: false,
} as object);

/** The language that was chosen, or the house's. */
export const chosenLanguage = (): LocaleCode => localeOf(readStored("viodeLang"));

/** English comes beside a partial language, at the same time, and stands in for what the language lacks. */
async function fetchTexts(tag: Tag): Promise<void> {
  await started;
  const wanted = PARTIAL_TAGS.includes(tag) ? [tag, FALLBACK] : [tag];
  const lacking = wanted.filter((one) => !i18n.hasResourceBundle(one, "translation"));
  const fetched = await Promise.all(lacking.map((one) => FILES[one]()));
  for (const [i, one] of lacking.entries()) i18n.addResourceBundle(one, "translation", fetched[i]);
}

/** Shows the language, once its texts are there, and remembers it when a member chose it. */
export async function showLanguage(code: LocaleCode, { remember = false } = {}): Promise<void> {
  const tag = tagOf(code) as Tag;
  await fetchTexts(tag);
  if (remember) writeStored("viodeLang", code);
  shown = code;
  await i18n.changeLanguage(tag);
  document.documentElement.lang = tag;
}

/** A text outside of components. */
export const text: Text = (key, values) => i18n.t(key, values ?? {});

/** The texts of a language that is not on the screen, for whoever is about to choose it. */
export async function textsOf(code: LocaleCode): Promise<Text> {
  const tag = tagOf(code) as Tag;
  await fetchTexts(tag);
  const fixed = i18n.getFixedT(tag);
  return (key, values) => fixed(key, values ?? {});
}

let shown: LocaleCode | undefined;
/** The language on the screen; before there is one, the chosen one. */
export const languageNow = (): LocaleCode => shown ?? chosenLanguage();

export function onLanguage(listener: () => void): () => void {
  i18n.on("languageChanged", listener);
  return () => i18n.off("languageChanged", listener);
}

/** The first of the browser's languages that is ours, to be preselected and no more. */
export function browserLanguage(): LocaleCode | undefined {
  const same = (wanted: string) => LOCALES.find(({ tag }) => tag.toLowerCase() === wanted.toLowerCase());
  const base = (wanted: string) => {
    if (/^zh-(tw|hk|mo|hant)/i.test(wanted)) return same("zh-TW");
    if (/^zh/i.test(wanted)) return same("zh-CN");
    return same(wanted.split("-")[0]!);
  };
  for (const wanted of navigator.languages) {
    const found = same(wanted) ?? base(wanted);
    if (found) return found.code;
  }
  return undefined;
}
