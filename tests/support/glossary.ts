import { readFileSync } from "node:fs";
import type { Tag } from "./locale-texts.ts";

/** A pattern that a language's texts must not match, a text that does, and what translators write instead. */
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
  /** What may replace `say` in a text: its inflections, as far as they share its letters. */
  forms?: string[];
  /** Words that must not be used for the term. */
  never?: string[];
  /** Keys of texts that express the term in another way. */
  free?: string[];
}

export interface Term {
  means: string;
  /** Where the English text matches this, the translations hold the term. */
  match: string;
  /** Removed from the English text first: the same word in another meaning. */
  without?: string;
  /** The keys it applies to; all when absent. */
  keys?: string;
  words: Record<Tag, Word>;
}

export interface Glossary {
  /** Names, others' and our own, that are the same in every language. */
  names: string[];
  languages: Record<Tag, LanguageRules>;
  terms: Record<string, Term>;
}

export function readGlossary(): Glossary {
  return JSON.parse(readFileSync(new URL("../../locales/glossary.json", import.meta.url), "utf8")) as Glossary;
}
