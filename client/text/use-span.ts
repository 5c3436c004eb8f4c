import { formatSpan } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { useLanguage } from "./use-text.ts";

const UNITS = [
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
] as const;

/** Writes a time of at least a minute in hours and minutes. */
export function useSpan(): (seconds: number) => string {
  const language = useLanguage();
  return (seconds) => {
    let left = seconds;
    const parts = UNITS.map(({ unit, seconds: size }) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count && formatSpan(count, unit, language);
    });
    return new Intl.ListFormat(tagOf(language), { type: "unit", style: "narrow" }).format(
      parts.filter((part) => part !== 0),
    );
  };
}
