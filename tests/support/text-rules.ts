import type { Glossary, Never, Term } from "./glossary.ts";
import { englishKey, PLURAL, TAGS, type LocaleTexts, type Tag } from "./locale-texts.ts";

/** What a rule checks: one text, and the English text it translates. */
interface Translated {
  tag: Tag;
  key: string;
  text: string;
  english: string;
}

/** Returns the faults of a text as short phrases; none when all is well. */
type Rule = (translated: Translated, glossary: Glossary) => string[];

const output = (wrong: boolean, what: string): string[] => (wrong ? [what] : []);
const PLACEHOLDER = /\{\{.*?\}\}/g;
const placeholders = (text: string): string => (text.match(PLACEHOLDER) ?? []).sort().join(" ");

/** Whether a language's plural form stands for one number alone, as `one` does in English but not in Russian. */
function isOneNumber(tag: Tag, category: string): boolean {
  const rules = new Intl.PluralRules(tag);
  return Array.from({ length: 200 }, (_, n) => rules.select(n)).filter((found) => found === category).length === 1;
}

function samePlaceholders({ tag, key, text, english }: Translated): string[] {
  if (placeholders(text) === placeholders(english)) return [];
  const category = PLURAL.exec(key)?.[1];
  const uncounted = placeholders(english.replaceAll("{{count}}", ""));
  const free = category !== undefined && isOneNumber(tag, category) && placeholders(text) === uncounted;
  return output(!free, `placeholders: ${placeholders(english) || "none"}`);
}

const countsInPlural: Rule = ({ key, text }) =>
  output(!PLURAL.test(key) && /\{\{count\}\}\s\p{L}/u.test(text), "plural: a text that counts has plural forms");

export const MARKS: Never[] = [
  { pattern: String.raw`\.\.\.`, wrong: "Wait...", say: "…" },
  { pattern: `"`, wrong: `say "yes"`, say: "curly quotes" },
  { pattern: `'`, wrong: "it's", say: "’" },
  { pattern: " {2}", wrong: "a  b", say: "one space" },
  { pattern: String.raw`^\s|\s$`, wrong: " a", say: "no space at either end" },
  { pattern: String.raw`\s[.,;!?…]`, wrong: "a , b", say: "no space before it" },
  { pattern: " [·—]", wrong: "a · b", say: "a no-break space before · and —" },
];

const held = (text: string, never: Never[], kind: string): string[] =>
  never
    .filter(({ pattern, anyCase }) => new RegExp(pattern, anyCase ? "iu" : "u").test(text))
    .map(({ say }) => `${kind}: say ${say}`);

const marks: Rule = ({ text }) => held(text, MARKS, "marks");
const composed: Rule = ({ text }) => output(text !== text.normalize("NFC"), "marks: letters are composed (NFC)");

/** Marks of a kind that a language does not use; an apostrophe within a word is no quote. */
const strange = (text: string, kind: RegExp, own: string): string[] =>
  [...text.replaceAll(/(?<=\p{L})’(?=\p{L})/gu, "").matchAll(kind)]
    .map(([mark]) => mark)
    .filter((m) => !own.includes(m));

/** The rules of a language without a row are none: `lackingIn` (glossary.ts) names it. */
function own({ tag, text }: Translated, { languages }: Glossary): string[] {
  const rules = languages[tag];
  if (!rules) return [];
  const { register, punctuation } = rules;
  return [
    ...strange(text, /[“”„‟‘’‚«»‹›「」『』]/gu, punctuation.quotes).map((mark) => `quotes: ${mark} is not ours`),
    ...strange(text, /[–—―~～〜]/gu, punctuation.dashes).map((mark) => `dashes: ${mark} is not ours`),
    ...held(text, punctuation.never, "punctuation"),
    ...held(text, register.never, "register"),
  ];
}

/** Numbers and percentages are written as `Intl` writes those that the program fills in. */
function numbers({ tag, text }: Translated): string[] {
  const grouped = [...text.matchAll(/\d{1,3}(?:[.,\s]\d{3})+(?!\d)/gu)].map(([number]) => number);
  const asIntl = (number: string) => new Intl.NumberFormat(tag).format(Number(number.replaceAll(/\D/g, "")));
  const spaced = /\d\s%/u.test(new Intl.NumberFormat(tag, { style: "percent" }).format(0.5));
  const percent = /(?:\d|\}\})(\s?)%/u.exec(text);
  return [
    ...grouped.filter((number) => number !== asIntl(number)).map((number) => `numbers: say ${asIntl(number)}`),
    ...output(percent !== null && (percent[1] !== "") !== spaced, `numbers: ${spaced ? "a" : "no"} space before %`),
  ];
}

/** Whether an English text has a term, in the glossary's meaning. */
export function holdsTerm(term: Term, key: string, english: string): boolean {
  if (term.keys && !new RegExp(term.keys, "u").test(key)) return false;
  const words = english.replaceAll(PLACEHOLDER, "");
  return new RegExp(term.match, "iu").test(
    term.without ? words.replaceAll(new RegExp(term.without, "giu"), "") : words,
  );
}

/** Whether a word of the text begins with this; in a script without spaces between words, anywhere. */
function begins(words: string, word: string): boolean {
  const spaced = /^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word);
  return spaced ? new RegExp(`(?<!\\p{L})${word.toLowerCase()}`, "u").test(words) : words.includes(word);
}

/** Where English has a term, so does the translation, in one of the term's words and in no forbidden one. */
function terms({ tag, key, text, english }: Translated, { terms }: Glossary): string[] {
  const words = text.replaceAll(PLACEHOLDER, "").toLowerCase();
  const holds = (word: string) => words.includes(word.toLowerCase());
  return Object.entries(terms)
    .filter(([, term]) => holdsTerm(term, key, english))
    .flatMap(([name, term]) => {
      const word = term.words[tag];
      if (!word) return [];
      const { say, forms = [], never = [], free = [] } = word;
      const missing = ![say, ...forms].some(holds);
      return [
        ...never.filter((word) => begins(words, word)).map((word) => `term ${name}: say ${say}, never ${word}`),
        ...output(missing && !free.includes(key), `term ${name}: say ${say}`),
        ...output(!missing && free.includes(key), `term ${name}: free without need`),
      ];
    });
}

const SCRIPTS: Partial<Record<Tag, RegExp>> = {
  th: /\p{Script=Thai}/u,
  ko: /\p{Script=Hangul}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  "zh-CN": /\p{Script=Han}/u,
  "zh-TW": /\p{Script=Han}/u,
  ru: /\p{Script=Cyrillic}/u,
};

/** A text is in its own language, except for names, which are the same in all. */
function ownLanguage({ tag, text, english }: Translated, { names }: Glossary): string[] {
  const left = names.reduce((rest, name) => rest.replaceAll(name, ""), text.replaceAll(PLACEHOLDER, ""));
  if (tag === "en" || !/\p{L}/u.test(left)) return [];
  const script = SCRIPTS[tag];
  if (script) return output(!script.test(left), "language: not in its own script");
  const marked = /đ|\p{M}/iu.test(left.normalize("NFD"));
  return [
    ...output(text === english, "language: left in English"),
    ...output(tag === "vi" && left.length > 12 && !marked, "language: without its diacritics"),
  ];
}

const RULES: Rule[] = [samePlaceholders, countsInPlural, marks, composed, own, numbers, terms, ownLanguage];

/** `language key: rule (text)` of every breach in the texts that English has too; empty when all is well. */
export function breachesOf(texts: LocaleTexts, glossary: Glossary): string[] {
  const english = texts.get("en")!;
  const ofText = (tag: Tag, key: string, text: string): string[] => {
    const original = english.get(englishKey(key));
    if (original === undefined) return [];
    const translated = { tag, key, text, english: original };
    return RULES.flatMap((rule) => rule(translated, glossary)).map((wrong) => `${tag} ${key}: ${wrong} (${text})`);
  };
  return TAGS.flatMap((tag) => [...(texts.get(tag) ?? [])].flatMap(([key, text]) => ofText(tag, key, text)));
}
