import { tagOf, type LocaleCode } from "./locales.ts";
import { MINOR_PER_UNIT, type Money } from "./money.ts";

const formats = new Map<string, Intl.NumberFormat>();

/** An amount as readers of the language write it: points plainly, a currency with its sign. */
export function formatMoney(amount: Money, unit: string, locale: LocaleCode): string {
  const name = `${locale} ${unit}`;
  let format = formats.get(name);
  if (!format) {
    const style = unit === "point" ? {} : ({ style: "currency", currency: unit } as const);
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    format = new Intl.NumberFormat(tagOf(locale), { ...style, ...digits });
    formats.set(name, format);
  }
  return format.format(amount / MINOR_PER_UNIT);
}
