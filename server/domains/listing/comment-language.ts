import { tagOf, type LocaleCode } from "#shared/locales.ts";

/** Scripts that have another name in text than in a language's tag. */
const LETTERS: Record<string, readonly string[]> = {
  Kore: ["Hang"],
  Jpan: ["Hira", "Kana"],
  Hans: ["Hani"],
  Hant: ["Hani"],
};

/** No sentence of these lacks an accent: letters without one are more probably English. */
const MARKED = new Set(["vi"]);

/**
 * The language of a member's text, as a tag: that of the app they wrote it in, if most of its letters are of that
 * language's script. Null where they are not, as then nothing says which language it is.
 */
export function languageOf(text: string, locale: LocaleCode): string | null {
  const tag = tagOf(locale);
  const { script = "" } = new Intl.Locale(tag).maximize();
  const own = LETTERS[script] ?? [script];
  const letters = text.match(/\p{L}/gu) ?? [];
  // Japanese mixes kana with Chinese characters; Chinese has no kana.
  const mixed = script === "Jpan" ? [...own, "Hani"] : own;
  const fitting = letters.filter((letter) => ofScripts(mixed).test(letter)).length;
  const hasKana = ofScripts(LETTERS.Jpan!).test(text);
  const isUnmarked = MARKED.has(tag) && !/[đ\p{M}]/iu.test(text.normalize("NFD"));
  const isOdd = script === "Jpan" ? !hasKana : hasKana;
  return fitting * 2 > letters.length && !isOdd && !isUnmarked ? tag : null;
}

const ofScripts = (names: readonly string[]) =>
  new RegExp(`[${names.map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
