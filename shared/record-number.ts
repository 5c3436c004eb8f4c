const LETTERS = { bet: "B", deposit: "T", withdrawal: "W" } as const;
type Kind = keyof typeof LETTERS;

/** The number of a record that people read and say, which the operator's commands take too: `T-1204`. */
export const recordNumber = (kind: Kind, row: number): string => `${LETTERS[kind]}-${row}`;

/** The row behind such a number; undefined for what is none of this kind. */
export function rowOfNumber(kind: Kind, word: string): number | undefined {
  const digits = new RegExp(`^${LETTERS[kind]}-([1-9]\\d{0,14})$`, "i").exec(word.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
