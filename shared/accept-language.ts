import { FALLBACK_LOCALE, wantedLocale, type LocaleCode } from "./locales.ts";

/** Nobody reads more languages than this; a longer header is work for nothing. */
const MOST_RANGES = 32;

interface Range {
  tag: string;
  weight: number;
}

/**
 * The language to answer a browser in, by its header `Accept-Language`: the one that its reader wants most of those that
 * are here, else English.
 */
export function readerOf(header = ""): LocaleCode {
  const ranges = header.split(",").slice(0, MOST_RANGES).flatMap(readRange);
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag.toLowerCase()));
  const found = ranges
    // “Any” says nothing of which (RFC 4647, 3.4).
    .filter(({ tag, weight }) => tag !== "*" && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => wantedLocale([tag]))
    .find((locale) => locale && !refused.has(locale.tag.toLowerCase()));
  return found?.code ?? FALLBACK_LOCALE;
}

/** A language range and its weight (RFC 9110, 12.5.4); none where it is written in another way. */
function readRange(text: string): Range[] {
  const found = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(text);
  return found ? [{ tag: found[1]!, weight: Number(found[2] ?? 1) }] : [];
}
