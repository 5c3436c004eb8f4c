import { readFileSync } from "node:fs";
import type { Tag } from "./locale-texts.ts";

/** A pattern that no text of a language may hold, a text that does, and what a translator writes instead. */
export interface Never {
  pattern: string;
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
  /** What a text may hold instead of `say`: its inflections, as far as they stay the same. */
  forms?: string[];
  /** What must not stand for it. */
  never?: string[];
  /** Keys of texts that say it in another way. */
  free?: string[];
}

export interface Term {
  means: string;
  /** Where the English text holds this, the others hold the term. */
  match: string;
  /** What is taken out of the English text before: the same word in another meaning. */
  without?: string;
  /** The keys it is about; all of them when absent. */
  keys?: string;
  words: Record<Tag, Word>;
}

export interface Glossary {
  /** Names of others and our own, the same in every language. */
  names: string[];
  languages: Record<Tag, LanguageRules>;
  terms: Record<string, Term>;
}

export function readGlossary(): Glossary {
  return JSON.parse(readFileSync(new URL("../../locales/glossary.json", import.meta.url), "utf8")) as Glossary;
}
