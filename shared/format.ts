import { localeBy, tagOf, type LocaleCode } from "./locales.ts";
import { MINOR_PER_UNIT, type Money } from "./money.ts";
import { digitsOf, POINTS } from "./unit.ts";

/** Stands between two texts of a line. A line may end after it, never before it. */
export const DIVIDER = "\u00a0· ";

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount for a language: points as a plain number, with digits after the point only where they are not zero; a
 * currency with its sign and its own digits.
 */
export function formatMoney(amount: Money, unit: string, locale: LocaleCode): string {
  const name = `${locale} ${unit}`;
  let format = formats.get(name);
  if (!format) {
    const isPoint = unit === POINTS;
    const style = isPoint
      ? ({ trailingZeroDisplay: "stripIfInteger" } as const)
      : ({ style: "currency", currency: unit } as const);
    const shown = digitsOf(unit);
    const digits = { minimumFractionDigits: shown, maximumFractionDigits: shown };
    format = new Intl.NumberFormat(tagOf(locale), { ...style, ...digits });
    formats.set(name, format);
  }
  return format.format(amount / MINOR_PER_UNIT);
}

/**
 * Formats an amount that stands on its own, as in a sentence: points by their name. `points` says it in the language;
 * `count` chooses its plural.
 */
export function nameMoney(
  amount: Money,
  unit: string,
  locale: LocaleCode,
  points: (values: { amount: string; count: number }) => string,
): string {
  const written = formatMoney(amount, unit, locale);
  return unit === POINTS ? points({ amount: written, count: amount / MINOR_PER_UNIT }) : written;
}

/** Formats a probability as members read it: a percentage with at most two decimals. */
export function chanceFormat(tag: string): (probability: number) => string {
  const format = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 2 });
  return (probability) => format.format(probability);
}

/** Between a figure and its unit, as the texts beside it write them: `Intl` has a space in Japanese, and none in Chinese. */
const BEFORE_UNIT = /(?<=\d)\s?(?=\p{Script=Han})/u;

/** Writes a number of hours, minutes or seconds with its unit. */
export function formatSpan(
  count: number,
  unit: "hour" | "minute" | "second",
  locale: LocaleCode,
  unitDisplay: "short" | "long" = "long",
): string {
  const tag = tagOf(locale);
  const written = new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay }).format(count);
  return written.replace(BEFORE_UNIT, tag.startsWith("ja") ? "" : " ");
}

/** A short word after a figure of a date, as in the Russian "2026 г.": it never begins a line. */
const AFTER_FIGURE = /(\d) (?=\p{Ll}\.)/u;

/** Writes a time in a language, its hours by one clock in every style. */
export function formatTime(ms: number, locale: LocaleCode, style: Intl.DateTimeFormatOptions): string {
  const { tag, clock } = localeBy(locale);
  const written = new Intl.DateTimeFormat(tag, { ...(clock && { hourCycle: clock }), ...style }).format(ms);
  return written.replace(AFTER_FIGURE, "$1\u00A0");
}
