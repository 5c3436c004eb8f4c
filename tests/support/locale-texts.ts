import { readFileSync } from "node:fs";
import { LOCALES } from "#shared/locales.ts";

export type Tag = (typeof LOCALES)[number]["tag"];
/** Every language's texts by full key, such as `refusal.session.missing`. */
export type LocaleTexts = ReadonlyMap<Tag, ReadonlyMap<string, string>>;
type Tree = { [key: string]: string | Tree };

export const TAGS = LOCALES.map(({ tag }) => tag);

const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "object" ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );

export function readLocaleTexts(): LocaleTexts {
  const read = (tag: Tag) => readFileSync(new URL(`../../locales/${tag}.json`, import.meta.url), "utf8");
  return new Map(TAGS.map((tag) => [tag, new Map(flatten(JSON.parse(read(tag)) as Tree))]));
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
