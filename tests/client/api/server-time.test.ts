import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nextDayMs, ServerTime, serverTime, untilChange, untilNextDay } from "#client/api/server-time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

const SERVER = Date.UTC(2061, 0, 1);
afterEach(() => vi.useRealTimers());

/** A server time over a clock that the test moves, and that shows 0 when the server's shows SERVER. */
function begin() {
  let elapsed = 0;
  const time = new ServerTime(() => elapsed);
  return {
    time,
    /** The time shown, as the server's clock goes on from SERVER. */
    now: () => time.now()! - SERVER,
    at: (ms: number) => void (elapsed = ms),
    /** A message that was sent at one moment and received at another. */
    hear(sent: number, receivedMs: number) {
      elapsed = receivedMs;
      time.update(SERVER + sent);
    },
  };
}

describe("the server's time", () => {
  it("is unknown before the server's first message", () => {
    expect(new ServerTime().now()).toBeNull();
  });

  it.each([-5_000, 0, 5_000, 50 * 365 * 24 * HOUR_MS])(
    "does not depend on the device's clock, off by %i ms",
    (wrong) => {
      vi.useFakeTimers({ now: SERVER + wrong });
      const time = new ServerTime();
      time.update(SERVER);
      vi.advanceTimersByTime(10_000);
      expect(time.now()).toBe(SERVER + 10_000);
      vi.setSystemTime(0);
      expect(time.now()).toBe(SERVER + 10_000);
    },
  );

  it("follows the quickest message", () => {
    const { hear, now } = begin();
    hear(0, 400);
    expect(now()).toBe(0);
    hear(1_000, 1_020);
    expect(now()).toBe(1_000);
    hear(2_000, 2_900);
    expect(now()).toBeCloseTo(2_880, 0);
  });

  it("is never ahead, nor behind by more than the quickest message took, except for a little drift", () => {
    const messages = fc.array(fc.record({ wait: fc.nat(20_000), late: fc.nat(3_000) }), { minLength: 1 });
    fc.assert(
      fc.property(messages, (all) => {
        const { hear, now, at } = begin();
        let [sent, last, quickest, shown] = [0, 0, Infinity, -Infinity];
        for (const { wait, late } of all) {
          sent += wait;
          // On one connection no message overtakes another.
          const receivedMs = Math.max(sent + late, last);
          const drift = (receivedMs - last) / 5_000 + 0.001;
          at(receivedMs);
          if (shown !== -Infinity) shown = now();
          hear(sent, receivedMs);
          expect(now() - shown).toBeGreaterThanOrEqual(-drift);
          [last, shown, quickest] = [receivedMs, now(), Math.min(quickest, receivedMs - sent)];
        }
        expect(now()).toBeLessThanOrEqual(last);
        expect(last - now()).toBeLessThanOrEqual(quickest + last / 5_000 + 0.001);
      }),
    );
  });

  it("stays right for a day on a clock that runs a little fast", () => {
    const { hear, now, at } = begin();
    const fast = 1 + 1e-4;
    for (let ms = 0; ms <= 24 * HOUR_MS; ms += 10_000) hear(ms, (ms + 30 + ((ms / 10_000) % 7) * 40) * fast);
    at((24 * HOUR_MS + 5_000) * fast);
    expect(Math.abs(now() - (24 * HOUR_MS + 5_000))).toBeLessThan(150);
  });

  it("is right again with the first message after a sleep in which no clock ran", () => {
    const { hear, now } = begin();
    hear(0, 20);
    hear(8 * HOUR_MS, 1_020);
    expect(now()).toBe(8 * HOUR_MS);
  });

  it("starts over when it is reset, though the next message is slower", () => {
    const { time, hear, now } = begin();
    hear(0, 0);
    time.forget();
    expect(time.now()).toBeNull();
    hear(1_000, 1_300);
    expect(now()).toBe(1_000);
  });
});

describe("the next day", () => {
  it("begins at midnight UTC by the server's clock, and is asked for a second later", () => {
    serverTime.forget();
    expect([nextDayMs(), untilNextDay()]).toEqual([null, false]);
    serverTime.update(Date.UTC(2026, 2, 2, 23, 59));
    expect(nextDayMs()).toBe(Date.UTC(2026, 2, 3));
    expect(Number(untilNextDay())).toBeGreaterThan(60_000);
    expect(Number(untilNextDay())).toBeLessThanOrEqual(61_000);
    serverTime.forget();
  });
});

describe("what changes at moments", () => {
  const NOON = Date.UTC(2026, 2, 2, 12);
  beforeEach(() => {
    vi.useFakeTimers();
    serverTime.forget();
  });
  afterEach(() => serverTime.forget());

  it.each([
    ["at an hour to come", NOON, [NOON + HOUR_MS], HOUR_MS + SECOND_MS],
    ["at the soonest of several", NOON, [NOON + HOUR_MS, NOON + 5, NOON + 7], SECOND_MS + 5],
    ["less than a second ago", NOON + 400, [NOON], 600],
    ["a while ago", NOON + HOUR_MS, [NOON], MINUTE_MS],
    ["at midnight, less than a second ago", NOON + 12 * HOUR_MS + 400, [], 600],
    ["at midnight, a second ago", NOON + 12 * HOUR_MS + SECOND_MS, [], DAY_MS],
  ])("is asked for a second after it changed: %s", (_, now, moments, wait) => {
    serverTime.update(now);
    expect(untilChange(moments)).toBe(wait);
  });

  it("is not asked for while the server's clock is unknown", () => {
    expect(untilChange([NOON])).toBe(false);
  });
});
