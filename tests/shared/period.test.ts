import { describe, expect, it } from "vitest";
import { periodOf, PERIODS, periodStarts } from "#shared/period.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const days = (starts: number[]) => starts.map((ms) => new Date(ms).toISOString().replace("T00:00:00.000Z", ""));

describe("the periods of a report", () => {
  it("are days of UTC, today the last", () => {
    const starts = days(periodStarts("day", at("2026-03-02T23:59:59.999")));
    expect([starts.length, starts[0], starts.at(-1)]).toEqual([30, "2026-02-01", "2026-03-02"]);
  });

  it("are weeks from Monday", () => {
    // 2026-03-01 was a Sunday.
    expect(days(periodStarts("week", at("2026-03-01T23:59:59"))).slice(-2)).toEqual(["2026-02-16", "2026-02-23"]);
    expect(days(periodStarts("week", at("2026-03-02T00:00:00"))).slice(-2)).toEqual(["2026-02-23", "2026-03-02"]);
    expect(periodStarts("week", at("2026-03-02T00:00:00"))).toHaveLength(12);
  });

  it("are months of any length, over the turn of the year", () => {
    const starts = days(periodStarts("month", at("2028-02-29T12:00:00")));
    expect([starts.length, starts[0], starts[9], starts.at(-1)]).toEqual([
      12,
      "2027-03-01",
      "2027-12-01",
      "2028-02-01",
    ]);
  });

  it.each(PERIODS)("follow each other without a gap, by the %s", (by) => {
    const starts = periodStarts(by, at("2026-11-21T11:00:00"));
    const numbers = starts.map(periodOf[by]);
    expect(numbers.map((number, i) => number - numbers[0]! - i)).toEqual(starts.map(() => 0));
    expect(starts.slice(1).map((start) => periodOf[by](start - 1))).toEqual(numbers.slice(0, -1));
  });
});
