import { tagOf } from "#shared/locales.ts";
import { useLanguage, useText } from "#client/text/use-text.ts";

const UNITS = [
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

/** Says how often a game is drawn: in the largest of hours, minutes and seconds that is whole. */
export function usePeriod(): (period: number) => string {
  const text = useText();
  const tag = tagOf(useLanguage());
  return (period) => {
    const { unit, seconds } = UNITS.find((one) => period % one.seconds === 0)!;
    const format = new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short" });
    return text("game.every", { time: format.format(period / seconds) });
  };
}
