/** A figure with signs, such as ×1.95, or figures that signs join, such as 11–18, 1 / 3 and 4 → 5. */
const FIGURES = /(?<![\p{L}\d])[×+−-]?\d(?:[.,:]?\d)*(?:\s?[–=→/×+−-]\s?\d(?:[.,:]?\d)*)*%?/gu;
const PLAIN = /^\d+$/;
/** Unicode's left-to-right isolate, and its end. */
const [LRI, PDI] = ["\u2066", "\u2069"];

/** The text, with its figures in their order from left to right where the language runs the other way. */
export const isolateFigures = (text: string, direction: "ltr" | "rtl"): string =>
  direction === "ltr" ? text : text.replaceAll(FIGURES, (found) => (PLAIN.test(found) ? found : LRI + found + PDI));
