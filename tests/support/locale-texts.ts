import { FILES, type TextTree } from "#locales/languages.ts";

export type Tag = string;
/** Every language's texts by full key, such as `refusal.session.missing`. */
export type LocaleTexts = ReadonlyMap<Tag, ReadonlyMap<string, string>>;
export type Tree = TextTree;

const TREES = new Map<Tag, Tree>(FILES.map(({ tag, texts }) => [tag, texts]));

export const TAGS: Tag[] = [...TREES.keys()];

const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "object" ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );

export const readLocaleTexts = (): LocaleTexts =>
  new Map([...TREES].map(([tag, texts]) => [tag, new Map(flatten(texts))]));

/** A language's texts as a reader reads them: English stands in for what it lacks. */
export const readTree = (tag: string): Tree => laidOver(TREES.get("en")!, TREES.get(tag)!);

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
