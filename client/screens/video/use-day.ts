import { tagOf } from "#shared/locales.ts";
import { DAY_MS, SECOND_MS } from "#shared/time.ts";
import { useServerNow } from "#client/hooks/use-server-now.ts";
import { useLanguage } from "#client/text/use-text.ts";

/** Days up to this many ago are told by their distance. */
const NEAR_DAYS = 7;

/** Writes unix seconds as a day: "yesterday" or "3 days ago" while it is near, its date before that. */
export function useDay(): (seconds: number) => string {
  const tag = tagOf(useLanguage());
  const now = useServerNow();
  return (seconds) => {
    const ms = seconds * SECOND_MS;
    const days = now === null ? Infinity : Math.max(0, daysBetween(ms, now));
    if (days < NEAR_DAYS) return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(-days, "day");
    return new Intl.DateTimeFormat(tag, { dateStyle: "medium" }).format(ms);
  };
}

/** Midnights between two moments, where the reader is; a day when clocks are turned is a day too. */
const daysBetween = (from: number, to: number) => Math.round((midnightBefore(to) - midnightBefore(from)) / DAY_MS);

const midnightBefore = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
