import { figures } from "#client/text/i18n.ts";
import { useLanguage } from "#client/text/use-text.ts";
import { chanceFormat, numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";

/** Formats a probability as a percentage in the reader's language, with at most two decimals. */
export function useChance(): (probability: number) => string {
  return chanceFormat(tagOf(useLanguage()));
}

/** Formats odds, a decimal as on the wire, with the reader's decimal separator. */
export function useOdds(): (proportion: string) => string {
  const format = numberFormat(tagOf(useLanguage()), { maximumFractionDigits: 3 });
  return (proportion) => format.format(Number(proportion));
}

/** Formats odds as what a stake is multiplied with: ×1.95. */
export function useTimes(): (proportion: string) => string {
  const odds = useOdds();
  return (proportion) => figures(`×${odds(proportion)}`);
}
