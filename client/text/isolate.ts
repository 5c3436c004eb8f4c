/** A figure with signs, such as ×1.95, or figures that signs join, such as 11–18, 1 / 3 and 4 → 5. */
const FIGURES = /(?<![\p{L}\d])[×+−-]?\d(?:[.,:]?\d)*(?:\s?[–=→/×+−-]\s?\d(?:[.,:]?\d)*)*%?/gu;
const PLAIN = /^\d+$/;
/** Unicode's left-to-right isolate, and its end. */
const [LRI, PDI] = ["\u2066", "\u2069"];

/** The text of a language that runs from right to left, with its figures in their order from left to right. */
export const isolateFigures = (text: string): string =>
  text.replaceAll(FIGURES, (found) => (PLAIN.test(found) ? found : LRI + found + PDI));
