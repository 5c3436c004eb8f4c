/** The marks of Latin, Greek and Cyrillic letters. Those of Thai and of kana make other letters, and stay. */
const MARKS = /[\u0300-\u036f]/g;

/** A person's name as it is compared: without case, width, doubled spaces and marks. */
const folded = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(MARKS, "")
    .toUpperCase()
    .toLowerCase()
    // The one letter of Vietnamese whose stroke is no mark.
    .replaceAll("đ", "d")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");

/** Whether two texts are one person's name: banks print names in capitals and without marks. */
export const isSameName = (one: string, other: string): boolean => folded(one) === folded(other);
