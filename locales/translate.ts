import type { TextTree } from "./languages.ts";

export type Values = Record<string, string | number>;

/** A language's texts. Its tag (BCP 47) knows its plural rules. */
interface Spoken {
  tag: string;
  texts: TextTree;
}

/**
 * Says the text of a key in the first of these languages that has it, with the values in place of `{{names}}`. A value
 * named `count` picks the plural form. A key that none of them has is said itself.
 */
export function translator(languages: readonly Spoken[]): (key: string, values?: Values) => string {
  const spoken = languages.map(({ tag, texts }) => ({ texts, rules: new Intl.PluralRules(tag) }));
  return (key, values = {}) => {
    for (const { texts, rules } of spoken) {
      const text = formOf(texts, key, rules, values.count);
      // Most texts have no place for a value, and to look for one costs more than all else here.
      if (text !== undefined) return text.includes("{{") ? filled(text, values) : text;
    }
    return key;
  };
}

/** A text that counts, in the form of its number; none at all may be said in a way of its own. */
function formOf(texts: TextTree, key: string, rules: Intl.PluralRules, count: Values[string] | undefined) {
  if (typeof count !== "number") return textAt(texts, key);
  const forms = [...(count === 0 ? ["_zero"] : []), `_${rules.select(count)}`, "_other", ""].map((form) => key + form);
  return forms.map((form) => textAt(texts, form)).find((text) => text !== undefined);
}

function textAt(texts: TextTree, key: string): string | undefined {
  let at: TextTree | string | undefined = texts;
  for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
  return typeof at === "string" ? at : undefined;
}

/** A place for a value, with a Chinese character and a space before and behind it. */
const PLACE = /(\p{sc=Han} )?\{\{(\w+)\}\}( (?=\p{sc=Han}))?/gu;

/** Chinese sets a space beside figures and Latin letters. Between two of its own characters there is none. */
const filled = (text: string, values: Values): string =>
  text.replaceAll(PLACE, (_, before: string = "", name: string, after: string = "") => {
    const value = String(values[name] ?? "");
    return (/^\p{sc=Han}/u.test(value) ? before.trimEnd() : before) + value + (/\p{sc=Han}$/u.test(value) ? "" : after);
  });
