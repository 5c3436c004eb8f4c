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
