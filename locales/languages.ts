import { readdirSync, readFileSync } from "node:fs";

/** What a language's file says of it. Its tag (BCP 47), and so its plural rules, is the file's name. */
export interface Language {
  /** Its code on the wire. */
  code: string;
  /** Its own name. */
  name: string;
  direction: "ltr" | "rtl";
  tag: string;
  /** The share of English texts that it has, from 0 to 1. English stands in for the others. */
  share: number;
}

/** Texts by key, as a file holds them. */
export type TextTree = { [key: string]: string | TextTree };

type Head = Pick<Language, "code" | "name" | "direction"> & { place: number };

/** A language's file: what it says of the language, and its texts. */
export interface LanguageFile {
  tag: string;
  language: Head;
  texts: TextTree;
}

/** English has every text. */
const SOURCE = "en";
const PLURAL = /_(zero|one|two|few|many|other)$/;

const keysOf = (tree: TextTree, before = ""): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? `${before}${key}`.replace(PLURAL, "") : keysOf(value, `${before}${key}.`),
  );

/** The share of one tree's texts that another has, in some plural form. */
export function shareOf(all: TextTree, some: TextTree): number {
  const has = new Set(keysOf(some));
  const wanted = [...new Set(keysOf(all))];
  return wanted.filter((key) => has.has(key)).length / wanted.length;
}

/** Every file of a folder but the glossary, in the order in which members are offered the languages. */
export function readFiles(folder: string): LanguageFile[] {
  const tags = readdirSync(folder).flatMap((name) =>
    name === "glossary.json" ? [] : (/^(.+)\.json$/.exec(name)?.[1] ?? []),
  );
  const read = (tag: string) =>
    JSON.parse(readFileSync(`${folder}/${tag}.json`, "utf8")) as { language: Head } & TextTree;
  return tags
    .map((tag) => {
      const { language, ...texts } = read(tag);
      return { tag, language, texts };
    })
    .sort((a, b) => a.language.place - b.language.place);
}

/** The languages of files. What share of the texts each has is reckoned when somebody asks. */
export function languagesOf(files: readonly LanguageFile[]): Language[] {
  const english = files.find(({ tag }) => tag === SOURCE)!.texts;
  return files.map(({ tag, language: { code, name, direction }, texts }) => {
    let share: number | undefined;
    return {
      code,
      name,
      direction,
      tag,
      get share() {
        return (share ??= shareOf(english, texts));
      },
    };
  });
}

/** One of a file's parts; empty where it has none. */
export function partOf({ texts }: LanguageFile, name: "app" | "offline" | "option" | "page"): TextTree {
  const part = texts[name];
  return typeof part === "object" ? part : {};
}

/** The files here, read once for the process. */
export const FILES: readonly LanguageFile[] = readFiles(import.meta.dirname);

/** Every language that has a file here. A build for browsers has the same list without the files (`locales/vite-plugin.ts`). */
export const LANGUAGES: readonly Language[] = languagesOf(FILES);
