import { readFileSync } from "node:fs";
import { LOCALES } from "#shared/locales.ts";

export type Tag = (typeof LOCALES)[number]["tag"];
/** Every language's texts by full key, such as `refusal.session.missing`. */
export type LocaleTexts = ReadonlyMap<Tag, ReadonlyMap<string, string>>;
export type Tree = { [key: string]: string | Tree };

export const TAGS = LOCALES.map(({ tag }) => tag);

const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "object" ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );

export function readLocaleTexts(): LocaleTexts {
  const read = (tag: Tag) => readFileSync(new URL(`../../locales/${tag}.json`, import.meta.url), "utf8");
  return new Map(TAGS.map((tag) => [tag, new Map(flatten(JSON.parse(read(tag)) as Tree))]));
}

/** A language's file as a reader reads it: English stands in for what it lacks. */
export function readTree(tag: string): Tree {
  const file = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../locales/${name}.json`, import.meta.url), "utf8")) as Tree;
  return laidOver(file("en"), file(tag));
}

function laidOver(under: Tree, over: Tree): Tree {
  const merged = Object.entries(over).map(([key, value]): [string, string | Tree] => {
    const below = under[key];
    return [key, typeof value === "object" && typeof below === "object" ? laidOver(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(merged) };
}

export const PLURAL = /_(zero|one|two|few|many|other)$/;

/** The key of the English text that a key translates; for a plural, the general form. */
export const englishKey = (key: string): string => key.replace(PLURAL, "_other");

/** The keys a language must have: those of English, with plurals in the language's own categories. */
export function keysFor(tag: Tag, english: Iterable<string>): Set<string> {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const inCategories = (key: string) => pluralCategories.map((category) => key.replace(PLURAL, `_${category}`));
  return new Set([...english].flatMap((key) => (PLURAL.test(key) ? inCategories(key) : [key])));
}

/** `language key` of every text that these languages lack; empty when all is well. */
export function lackingOf(texts: LocaleTexts, tags: readonly Tag[]): string[] {
  const english = texts.get("en")!;
  return tags.flatMap((tag) =>
    [...keysFor(tag, english.keys())].filter((key) => !texts.get(tag)!.has(key)).map((key) => `${tag} ${key}`),
  );
}
