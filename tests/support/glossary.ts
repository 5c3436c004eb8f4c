import { readFileSync } from "node:fs";
import { LOCALES, type LocaleCode } from "#shared/locales.ts";
import { TAGS, type Tag } from "./locale-texts.ts";

/** A pattern that a language's texts must not match, a text that does, and what translators write instead. */
export interface Never {
  pattern: string;
  /** Capitals and small letters alike. V8 forgot a modifier within a pattern once, in a worker that had tried it for long. */
  anyCase?: boolean;
  wrong: string;
  say: string;
}

export interface LanguageRules {
  register: { address: string; style: string; never: Never[] };
  /** `quotes` and `dashes`: every such mark that a text may hold. */
  punctuation: { style: string; quotes: string; dashes: string; never: Never[] };
}

/** A term in one language. */
export interface Word {
  say: string;
  /** What may replace `say` in a text: its inflections, as far as they share its letters. */
  forms?: string[];
  /** Words that must not be used for the term. */
  never?: string[];
  /** Keys of texts that express the term in another way. */
  free?: string[];
}

/** English has a word for every term, and so has each language that is not partial. */
export type Words = { en: Word } & Partial<Record<Tag, Word>>;

export interface Term {
  means: string;
  /** Where the English text matches this, the translations hold the term. */
  match: string;
  /** Removed from the English text first: the same word in another meaning. */
  without?: string;
  /** The keys it applies to; all when absent. */
  keys?: string;
  words: Words;
}

export interface Glossary {
  /** Names, others' and our own, that are the same in every language. */
  names: string[];
  languages: Partial<Record<Tag, LanguageRules>>;
  terms: Record<string, Term>;
}

export function readGlossary(): Glossary {
  return JSON.parse(readFileSync(new URL("../../locales/glossary.json", import.meta.url), "utf8")) as Glossary;
}

/** The languages for which English stands in here and there. */
export const PARTIAL = LOCALES.filter(({ share }) => share < 1).map(({ tag }) => tag);

/** The languages that lack nothing. */
export const completeTags = (partial: readonly Tag[] = PARTIAL): Tag[] => TAGS.filter((tag) => !partial.includes(tag));

/** The same, by the wire's codes. */
export const completeCodes = (): LocaleCode[] => LOCALES.filter(({ share }) => share === 1).map(({ code }) => code);

/** `language: what it lacks` of every row and word that the glossary needs of complete languages; empty when all is well. */
export function lackingIn({ languages, terms }: Glossary, partial?: readonly Tag[]): string[] {
  return [
    ...completeTags(partial)
      .filter((tag) => !languages[tag])
      .map((tag) => `${tag}: no row in languages`),
    ...completeTags(partial).flatMap((tag) =>
      Object.entries(terms)
        .filter(([, { words }]) => !words[tag])
        .map(([name]) => `${tag}: no word for the term ${name}`),
    ),
  ];
}
