import { DAY_MS, dayOf, monthOf, weekOf } from "./time.ts";

/** The periods of a report, in UTC; weeks begin on Monday. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** How many periods a report covers, the current one included. */
const PERIODS_SHOWN = { day: 30, week: 12, month: 12 } as const;

/** The number of a period, counted from the epoch. */
export const periodOf: Record<Period, (ms: number) => number> = { day: dayOf, week: weekOf, month: monthOf };

/** When the period of a number begins, in ms. */
const BEGINNINGS: Record<Period, (number: number) => number> = {
  day: (day) => day * DAY_MS,
  week: (week) => (week * 7 - 3) * DAY_MS,
  month: (month) => Date.UTC(1970, month, 1),
};

/** When the periods of a report begin, oldest first, in ms; `now` is in the last of them. */
export function periodStarts(by: Period, now: number): number[] {
  const last = periodOf[by](now);
  const count = PERIODS_SHOWN[by];
  return Array.from({ length: count }, (_, i) => BEGINNINGS[by](last - count + 1 + i));
}
