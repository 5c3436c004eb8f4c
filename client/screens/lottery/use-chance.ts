import { useLanguage } from "#client/text/use-text.ts";
import { tagOf } from "#shared/locales.ts";

/** Writes a probability as a percentage of the reader's language, with at most two places. */
export function useChance(): (probability: number) => string {
  const format = new Intl.NumberFormat(tagOf(useLanguage()), { style: "percent", maximumFractionDigits: 2 });
  return (probability) => format.format(probability);
}

/** Writes odds, a decimal of the wire, with the reader's decimal sign. */
export function useOdds(): (proportion: string) => string {
  const format = new Intl.NumberFormat(tagOf(useLanguage()), { maximumFractionDigits: 3 });
  return (proportion) => format.format(Number(proportion));
}
