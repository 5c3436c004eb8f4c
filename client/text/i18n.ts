import type english from "#locales/en.json";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import type { ScreenTexts } from "#locales/home-texts.ts";
import type { TextTree } from "#locales/languages.ts";
import { SCREEN_TEXTS } from "#locales/screen-texts.ts";
import { translator, type Values } from "#locales/translate.ts";
import { localeBy, localeOf, wantedLocale, type Locale, type LocaleCode } from "#shared/locales.ts";
import { textTags } from "./text-tags.ts";

type Words = (typeof english)["app"] & Pick<typeof english, "option">;
type Plural = "zero" | "one" | "two" | "few" | "many" | "other";
type Bare<K extends string> = K extends `${infer Base}_${Plural}` ? Base : K;
type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? Bare<K> : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** Every text a screen can show: its own, and the names of what can be chosen in a game, which the server says too. */
export type TextKey = KeysOf<Words>;
export type Text = (key: TextKey, values?: Values) => string;

/** What has come of the languages, by tag and part. */
const fetched = new Map<string, TextTree>();

/** The language that was chosen, or the house's. */
export const chosenLanguage = (): LocaleCode => localeOf(readStored("viodeLang"));

let translate: ReturnType<typeof translator> = translator([]);
const listeners = new Set<() => void>();

const same = (text: string): string => text;
/** Figures with signs, in the order in which they are read. A language that runs from right to left brings its own. */
export let figures = same;

type Part = keyof ScreenTexts;
const HOME: readonly Part[] = ["home"];
const ALL: readonly Part[] = ["home", "others"];

/** English comes beside a partial language, at the same time, and stands in for what the language lacks. */
async function fetchTexts(locale: Locale, parts: readonly Part[]): Promise<ReturnType<typeof translator>> {
  const wanted = textTags(locale).flatMap((tag) => parts.map((part) => ({ tag, part, name: `${tag} ${part}` })));
  const lacking = wanted.filter(({ name }) => !fetched.has(name));
  await Promise.all(lacking.map(async ({ tag, part, name }) => fetched.set(name, await SCREEN_TEXTS[tag]![part]())));
  return translator(wanted.map(({ tag, name }) => ({ tag, texts: fetched.get(name)! })));
}

interface Options {
  /** A member chose it. */
  remember?: boolean;
  /** Home alone is about to be shown: all other texts come later (`withTexts`). */
  isHome?: boolean;
}

/** How often a language was asked for. */
let asked = 0;

/**
 * Shows the language, once its texts are there, and remembers it when a member chose it. One that was asked for later is
 * never replaced, whichever texts come first.
 */
export async function showLanguage(
  code: LocaleCode,
  { remember = false, isHome = false }: Options = {},
): Promise<void> {
  const turn = ++asked;
  const locale = localeBy(code);
  const translated = await fetchTexts(locale, isHome ? HOME : ALL);
  const signs = locale.direction === "rtl" ? (await import("./isolate.ts")).isolateFigures : same;
  if (turn !== asked) return;
  figures = signs;
  if (remember) writeStored("viodeLang", code);
  shown = code;
  translate = translated;
  for (const listener of listeners) listener();
  document.documentElement.lang = locale.tag;
  document.documentElement.dir = locale.direction;
}

/** Loads a piece of the app that is no part of Home, and beside it the texts that Home does without. */
export async function withTexts<Piece>(load: () => Promise<Piece>): Promise<Piece> {
  const [piece] = await Promise.all([load(), fetchOthers()]);
  return piece;
}

async function fetchOthers(): Promise<void> {
  const code = languageNow();
  const translated = await fetchTexts(localeBy(code), ALL);
  // Another language that was shown meanwhile came with all its texts.
  if (code === languageNow()) translate = translated;
}

/** A text outside of components. */
export const text: Text = (key, values) => figures(translate(key, values));

/** The texts of Home in a language that is not on the screen, for whoever is about to choose it. */
export const textsOf = (code: LocaleCode): Promise<Text> => fetchTexts(localeBy(code), HOME);

let shown: LocaleCode | undefined;
/** The language on the screen; before there is one, the chosen one. */
export const languageNow = (): LocaleCode => shown ?? chosenLanguage();

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The first of the browser's languages that is ours, to be preselected and no more. */
export const browserLanguage = (): LocaleCode | undefined => wantedLocale(navigator.languages)?.code;
