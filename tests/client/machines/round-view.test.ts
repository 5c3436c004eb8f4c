import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewer, leftToClose, leftToDraw, viewOf, type RoundView } from "#client/machines/round-view.ts";
import type { Countdown } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { PAUSED, word } from "./table.ts";

const TIMES = {
  close_ms: 57_000,
  draw_ms: 60_000,
  server_now_ms: 40_000,
  commit: "c0ffee",
  beacon: "none" as const,
  awaits_beacon: null,
  pause: null,
};
const LOTTERY: Lottery = {
  ...TIMES,
  id: "1",
  key: "k3-1m",
  name: "One minute",
  ico: "/i.png",
  class: "k3",
  class_name: "Three dice",
  kind: "dice-sum",
  period: 60,
  second: 17,
  state: "open",
  now_expect: "0001",
  opencode: [1, 2, 3],
  one: "B",
  two: "D",
  recent: [],
  next_expect: "0002",
  pause_reason: null,
};
const COUNTDOWN: Countdown = { ...TIMES, key: "k3-1m", expect: "0002", state: "open", second: 17 };

/** A round as the server may report it at any moment of its life. */
const message = fc
  .record({ sentAt: fc.nat(200_000), opens: fc.nat(100_000), open: fc.nat(300_000), closed: fc.nat(10_000) })
  .map(({ sentAt, opens, open, closed }): RoundView => {
    const closeMs = opens + open;
    const state = sentAt < closeMs ? "open" : "drawing";
    return {
      expect: "0001",
      state,
      closeMs,
      drawMs: closeMs + closed,
      sentAtMs: sentAt,
      commit: null,
      beacon: "none",
      awaitsBeacon: null,
      pause: null,
    };
  });

describe("a round", () => {
  it("is the same whether it was asked for or pushed", () => {
    const times = { closeMs: 57_000, drawMs: 60_000, sentAtMs: 40_000 };
    const view = {
      expect: "0002",
      state: "open",
      ...times,
      commit: "c0ffee",
      beacon: "none",
      awaitsBeacon: null,
      pause: null,
    };
    expect([viewOf(LOTTERY), viewOf(COUNTDOWN)]).toEqual([view, view]);
  });

  it("is unknown while the game is paused, and has no time left", () => {
    const paused = { state: "paused", close_ms: null, draw_ms: null, commit: null } as const;
    expect(viewOf({ ...LOTTERY, ...paused, next_expect: null }).expect).toBeNull();
    expect(viewOf({ ...COUNTDOWN, ...paused, expect: null })).toEqual({ ...PAUSED, sentAtMs: 40_000 });
    for (const round of [null, PAUSED]) expect([leftToClose(round), leftToDraw(round)]).toEqual([0, 0]);
  });

  it("has no betting time left unless it is open", () => {
    expect(leftToClose(word("0001", { left: 5 }))).toBe(5);
    expect(leftToClose(word("0001", { left: 5, state: "drawing" }))).toBe(0);
    expect(leftToClose(word("0001", { left: -5 }))).toBe(0);
  });

  it("is drawn when it closes and the time between has passed: never earlier, never later, never in the past", () => {
    fc.assert(
      fc.property(message, (round) => {
        const [close, draw] = [leftToClose(round), leftToDraw(round)];
        expect(Math.min(close, draw)).toBeGreaterThanOrEqual(0);
        expect(round.sentAtMs + close + draw).toBe(Math.max(round.sentAtMs, round.drawMs!));
      }),
    );
  });

  it("is news unless it was sent before the known one", () => {
    const at = (sentAt: number) => word("0001", { sentAt });
    expect([isNewer(at(2), at(1)), isNewer(at(1), at(1)), isNewer(at(1), at(2))]).toEqual([true, true, false]);
    expect(isNewer(at(1), null)).toBe(true);
  });
});
