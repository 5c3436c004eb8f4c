import { localeBy, tagOf, type LocaleCode } from "./locales.ts";
import { MINOR_PER_UNIT, type Money } from "./money.ts";
import { digitsOf, POINTS } from "./unit.ts";

/** Stands between two texts of a line. A line may end after it, never before it. */
export const DIVIDER = "\u00a0· ";

const formats = new Map<string, Intl.NumberFormat>();

/** A language's format of numbers. Each is made once: to make one costs a hundred times what it costs to use it. */
export function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const name = `${tag} ${JSON.stringify(options)}`;
  const known = formats.get(name) ?? new Intl.NumberFormat(tag, options);
  formats.set(name, known);
  return known;
}

/**
 * Formats an amount for a language: points as a plain number, with digits after the point only where they are not zero; a
 * currency with its sign and its own digits.
 */
export function formatMoney(amount: Money, unit: string, locale: LocaleCode): string {
  const isPoint = unit === POINTS;
  const style = isPoint
    ? ({ trailingZeroDisplay: "stripIfInteger" } as const)
    : ({ style: "currency", currency: unit } as const);
  const shown = digitsOf(unit);
  const digits = { minimumFractionDigits: shown, maximumFractionDigits: shown };
  return numberFormat(tagOf(locale), { ...style, ...digits }).format(amount / MINOR_PER_UNIT);
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
  const format = numberFormat(tag, { style: "percent", maximumFractionDigits: 2 });
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
  const written = numberFormat(tag, { style: "unit", unit, unitDisplay }).format(count);
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
