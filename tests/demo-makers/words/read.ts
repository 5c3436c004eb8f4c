import { readFileSync } from "node:fs";
import type { LocaleCode } from "#shared/locales.ts";

/** A text in every language of the lists. */
export type Texts = Record<LocaleCode, string>;

/** A line of a word list: its first cell, and its text. */
export interface Line {
  key: string;
  texts: Texts;
}

/** Reads a list beside this file: cells divided by ` | `, languages named on top, `=` for as it is in English. */
export function readWords(name: string): Line[] {
  const [top, ...rows] = readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const [, ...codes] = top!.split(" | ") as [string, ...LocaleCode[]];
  return rows.map((row) => {
    const [key, ...cells] = row.split(" | ");
    if (!key || cells.length !== codes.length)
      throw new Error(`${name}.txt: "${row}" has ${cells.length} texts, not ${codes.length}`);
    const texts = Object.fromEntries(codes.map((code, i) => [code, cells[i] === "=" ? cells[0] : cells[i]]));
    return { key, texts: texts as Texts };
  });
}
