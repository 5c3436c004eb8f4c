import { tagOf, type LocaleCode } from "./locales.ts";
import { MINOR_PER_UNIT, type Money } from "./money.ts";
import { digitsOf } from "./unit.ts";

const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount for a language: points as a plain number, a currency with its sign and its own digits. */
export function formatMoney(amount: Money, unit: string, locale: LocaleCode): string {
  const name = `${locale} ${unit}`;
  let format = formats.get(name);
  if (!format) {
    const style = unit === "point" ? {} : ({ style: "currency", currency: unit } as const);
    const shown = digitsOf(unit);
    const digits = { minimumFractionDigits: shown, maximumFractionDigits: shown };
    format = new Intl.NumberFormat(tagOf(locale), { ...style, ...digits });
    formats.set(name, format);
  }
  return format.format(amount / MINOR_PER_UNIT);
}
