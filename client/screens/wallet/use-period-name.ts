import { useTime } from "#client/text/use-time.ts";
import type { Period } from "#shared/period.ts";

const STYLES = {
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
} as const satisfies Record<Period, Intl.DateTimeFormatOptions>;

/** Names a period by its start date, which is UTC in every time zone. */
export function usePeriodName(by: Period): (from: number) => string {
  return useTime({ ...STYLES[by], timeZone: "UTC" });
}
