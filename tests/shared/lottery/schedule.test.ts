import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isTimetable,
  ordinalOf,
  parseRound,
  placeOf,
  roundAt,
  roundsPerDay,
  roundText,
  spanOf,
} from "#shared/lottery/schedule.ts";
import { DAY_MS, dayOf, dayText, MINUTE_MS } from "#shared/time.ts";

const minute = { periodS: 60, closeS: 3 };
const MIDNIGHT = Date.UTC(2026, 2, 3);
const textAt = (ms: number, timetable = minute) => roundText(roundAt(timetable, ms));

const PERIODS = Array.from({ length: 86_400 }, (_, i) => i + 1).filter((s) => s >= 10 && 86_400 % s === 0);
const someTimetable = fc
  .constantFrom(...PERIODS)
  .chain((periodS) => fc.integer({ min: 2, max: periodS - 1 }).map((closeS) => ({ periodS, closeS })));
const someMoment = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });

describe("a timetable", () => {
  it("has a period that divides the day and is at least ten seconds", () => {
    for (const periodS of PERIODS) expect(isTimetable({ periodS, closeS: 3 })).toBe(true);
    for (const periodS of [0, -60, 7, 9, 11, 61, 86_399, 172_800, 12.5, Number.NaN, Infinity])
      expect(isTimetable({ periodS, closeS: 3 })).toBe(false);
  });

  it("closes at least two seconds before the end and later than the beginning", () => {
    const closes = [-1, 0, 1, 2, 2.5, 3, 59, 60, 61, Number.NaN].filter((closeS) =>
      isTimetable({ periodS: 60, closeS }),
    );
    expect(closes).toEqual([2, 3, 59]);
  });
});

describe("the rounds of a day", () => {
  it("are counted from 0001, and begin again at midnight UTC", () => {
    expect(textAt(MIDNIGHT - 1)).toBe("20260302-1440");
    expect(textAt(MIDNIGHT)).toBe("20260303-0001");
    expect(textAt(MIDNIGHT + MINUTE_MS - 1)).toBe("20260303-0001");
    expect(textAt(MIDNIGHT + MINUTE_MS)).toBe("20260303-0002");
  });

  it("are as many as fit into it", () => {
    expect([10, 60, 180, 300, 86_400].map((periodS) => roundsPerDay({ periodS, closeS: 3 }))).toEqual([
      8_640, 1_440, 480, 288, 1,
    ]);
    expect(textAt(MIDNIGHT - 1, { periodS: 10, closeS: 3 })).toBe("20260302-8640");
    expect(textAt(MIDNIGHT - 1, { periodS: 86_400, closeS: 3 })).toBe("20260302-0001");
  });

  it("know a leap day, and the year's end", () => {
    expect(textAt(Date.UTC(2028, 1, 29))).toBe("20280229-0001");
    expect(textAt(Date.UTC(2027, 0, 1) - 1)).toBe("20261231-1440");
  });

  it("open where the one before is drawn, and close so many seconds before their end", () => {
    const { opensAt, closesAt, drawsAt } = spanOf(minute, { day: dayOf(MIDNIGHT), number: 1 });
    expect([opensAt - MIDNIGHT, closesAt - MIDNIGHT, drawsAt - MIDNIGHT]).toEqual([0, 57_000, 60_000]);
    expect(spanOf(minute, { day: dayOf(MIDNIGHT) - 1, number: 1_440 }).drawsAt).toBe(opensAt);
  });

  it("cover every moment exactly once, whatever the timetable", () => {
    fc.assert(
      fc.property(someTimetable, someMoment, (timetable, ms) => {
        const place = roundAt(timetable, ms);
        const { opensAt, closesAt, drawsAt } = spanOf(timetable, place);
        expect(opensAt <= ms && ms < drawsAt).toBe(true);
        expect(opensAt < closesAt && closesAt < drawsAt).toBe(true);
        expect(roundAt(timetable, drawsAt - 1)).toEqual(place);
        expect(spanOf(timetable, roundAt(timetable, drawsAt)).opensAt).toBe(drawsAt);
        expect(place.number >= 1 && place.number <= roundsPerDay(timetable)).toBe(true);
      }),
    );
  });
});

describe("the ordinal of a round", () => {
  it("grows by one from round to round, across midnight too", () => {
    fc.assert(
      fc.property(someTimetable, someMoment, (timetable, ms) => {
        const place = roundAt(timetable, ms);
        const next = roundAt(timetable, spanOf(timetable, place).drawsAt);
        expect(ordinalOf(timetable, next)).toBe(ordinalOf(timetable, place) + 1);
      }),
    );
  });

  it("leads back to the round", () => {
    fc.assert(
      fc.property(someTimetable, someMoment, (timetable, ms) => {
        const place = roundAt(timetable, ms);
        expect(placeOf(timetable, ordinalOf(timetable, place))).toEqual(place);
      }),
    );
  });
});

describe("a round's text", () => {
  it("can be read back", () => {
    fc.assert(
      fc.property(someTimetable, someMoment, (timetable, ms) => {
        const place = roundAt(timetable, ms);
        expect(roundText(place)).toMatch(/^\d{8}-\d{4}$/);
        expect(parseRound(roundText(place))).toEqual(place);
      }),
    );
  });

  it("is the last one of a day of the shortest rounds", () => {
    const day = dayOf(MIDNIGHT);
    expect(parseRound(`${dayText(day)}-8640`)).toEqual({ day, number: 8_640 });
  });

  it("is null when no game can have such a round", () => {
    const NONSENSE = [
      "|-|20260302|20260302-|20260302-1|20260302-00001|20260302-0000|20260302-8641|20260302-9999|20260230-0001",
      "20261301-0001|20260001-0001|20260302_0001|20260302-000a| 20260302-0001|20260302-0001 |20260302-0001\n",
      "2026030-20001|２０２６0302-0001|-0260302-0001|+2026030-0001|20260302--001|20260302-+001|20260302-1e03|null",
    ].flatMap((texts) => texts.split("|"));
    expect(NONSENSE.filter((text) => parseRound(text) !== null)).toEqual([]);
  });

  it("is parsed without an error whatever the input, and only when it is the text of that round", () => {
    const anything = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.stringMatching(/^\d{8}-\d{4}$/));
    fc.assert(
      fc.property(anything, (text) => {
        const place = parseRound(text);
        expect([null, text]).toContain(place && roundText(place));
      }),
      { numRuns: 1_000 },
    );
  });

  it("sorts as the rounds follow each other", () => {
    const place = fc.record({ day: fc.nat(40_000), number: fc.integer({ min: 1, max: 8_640 }) });
    fc.assert(
      fc.property(place, place, (a, b) => {
        const inTime = Math.sign(a.day - b.day || a.number - b.number);
        const [x, y] = [roundText(a), roundText(b)];
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(inTime);
      }),
    );
    expect(dayText(dayOf(MIDNIGHT - DAY_MS))).toBe("20260302");
  });
});
