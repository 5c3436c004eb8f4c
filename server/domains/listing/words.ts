import type { LocalText } from "#shared/locales.ts";

/** Longer words are cut, in names and in searches alike. */
const LONGEST = 32;

/**
 * The words of a text as they are compared: width, case and the marks on Latin letters make no difference, so that
 * `nguyen do` finds `Nguyễn Đỗ`. The marks of other scripts are letters of their own and stay.
 */
export function foldWords(text: string): string[] {
  const folded = text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .replaceAll("đ", "d")
    .normalize("NFC");
  const words = folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST).join("")))];
}

/** Every ending of every word of a name, in all its languages. */
export function endingsOf(name: LocalText): string[] {
  const names = typeof name === "string" ? [name] : Object.values(name);
  const endings = new Set<string>();
  for (const word of names.flatMap(foldWords)) {
    const letters = [...word];
    for (let from = 0; from < letters.length; from++) endings.add(letters.slice(from).join(""));
  }
  return [...endings];
}
