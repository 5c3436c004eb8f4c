import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ageAt, clockOf, DAY_MS, dayOf, dayText, HOUR_MS, monthOf, parseDay, toSeconds, weekOf } from "#shared/time.ts";

const someDay = fc.nat(80_000);

describe("a day", () => {
  it("is UTC, from midnight to midnight", () => {
    expect([0, DAY_MS - 1, DAY_MS].map(dayOf)).toEqual([0, 0, 1]);
    const midnight = Date.UTC(2026, 2, 3);
    expect(dayText(dayOf(midnight - 1))).toBe("20260302");
    expect(dayText(dayOf(midnight))).toBe("20260303");
  });

  it("can be read back", () => {
    fc.assert(
      fc.property(someDay, (day) => {
        expect(parseDay(dayText(day))).toBe(day);
      }),
    );
  });

  it("is null when there is no such day", () => {
    const noDays = ["20260229", "21000229", "20260431", "20260010", "20260100", "20261301", "00000000", "99999999"];
    const noText = ["", "2026-3-2", "2026030", "202603022", " 20260302", "20260302\n", "２０２６０３０２", "-2026030"];
    expect([...noDays, ...noText].filter((text) => parseDay(text) !== null)).toEqual([]);
    expect(["20240229", "20000229"].map((text) => dayText(parseDay(text)!))).toEqual(["20240229", "20000229"]);
  });
});

describe("a week", () => {
  it("begins on Monday at midnight UTC", () => {
    const monday = Date.UTC(2026, 2, 2);
    expect(new Date(monday).getUTCDay()).toBe(1);
    const hours = Array.from({ length: 7 * 24 }, (_, hour) => weekOf(monday + hour * HOUR_MS));
    expect(new Set(hours)).toEqual(new Set([weekOf(monday)]));
    expect(weekOf(monday - 1)).toBe(weekOf(monday) - 1);
    expect(weekOf(monday + 7 * DAY_MS)).toBe(weekOf(monday) + 1);
  });

  it("changes exactly where a Monday begins, across years too", () => {
    fc.assert(
      fc.property(someDay, (day) => {
        const [before, after] = [weekOf(day * DAY_MS - 1), weekOf(day * DAY_MS)];
        expect(after - before).toBe(new Date(day * DAY_MS).getUTCDay() === 1 ? 1 : 0);
      }),
    );
  });
});

describe("a month", () => {
  it("is the calendar's, counted from January 1970", () => {
    expect(monthOf(0)).toBe(0);
    expect(monthOf(Date.UTC(1970, 1, 1) - 1)).toBe(0);
    expect(monthOf(Date.UTC(1970, 1, 1))).toBe(1);
    expect(monthOf(Date.UTC(2026, 2, 2))).toBe(56 * 12 + 2);
    expect(monthOf(Date.UTC(2028, 2, 1) - 1)).toBe(monthOf(Date.UTC(2028, 1, 29)));
  });

  it("changes exactly where a first of the month begins", () => {
    fc.assert(
      fc.property(someDay, (day) => {
        const [before, after] = [monthOf(day * DAY_MS - 1), monthOf(day * DAY_MS)];
        expect(after - before).toBe(new Date(day * DAY_MS).getUTCDate() === 1 ? 1 : 0);
      }),
    );
  });
});

describe("a second", () => {
  it("is counted once it is over", () => {
    expect([0, 999, 1_000, 1_999].map(toSeconds)).toEqual([0, 0, 1, 1]);
  });
});

describe("a clock passed to another thread", () => {
  it("shows real time", () => {
    const before = Date.now();
    const now = clockOf({ kind: "wall" }).now();
    expect(now >= before && now <= Date.now()).toBe(true);
  });

  it("shows the time it was set to", () => {
    const buffer = new SharedArrayBuffer(8);
    const clock = clockOf({ kind: "shared", buffer });
    new Float64Array(buffer)[0] = Date.UTC(2026, 2, 2);
    expect(clock.now()).toBe(Date.UTC(2026, 2, 2));
  });

  it("runs so many times as fast as real time, in whole milliseconds", () => {
    const startedAt = Date.now() - 1_000;
    const clock = clockOf({ kind: "scaled", from: 5_000, startedAt, speed: 60 });
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(65_000);
    expect(now).toBeLessThanOrEqual(5_000 + (Date.now() - startedAt) * 60);
    expect(Number.isInteger(now)).toBe(true);
    expect(clock.speed).toBe(60);
  });
});

describe("an age", () => {
  const at = (day: string) => Date.parse(`${day}T00:00Z`);

  it("grows on the birthday, at midnight UTC", () => {
    expect(ageAt("1996-05-14", at("2026-05-14") - 1)).toBe(29);
    expect(ageAt("1996-05-14", at("2026-05-14"))).toBe(30);
    expect(ageAt("1996-12-31", at("2026-01-01"))).toBe(29);
  });

  it("of a person born on 29 February grows on 1 March", () => {
    expect(ageAt("2000-02-29", at("2026-02-28"))).toBe(25);
    expect(ageAt("2000-02-29", at("2026-03-01"))).toBe(26);
    expect(ageAt("2000-02-29", at("2028-02-29"))).toBe(28);
  });
});
