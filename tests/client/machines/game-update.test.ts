import { describe, expect, it } from "vitest";
import { withCountdown, withResult, withSnapshot, withUpdate } from "#client/machines/game-update.ts";
import type { Countdown, Result } from "#shared/contract/events.ts";
import { openGame } from "../../support/open-game.ts";

const answered = openGame({ second: 57, close_ms: 117_000, draw_ms: 120_000, server_now_ms: 60_000 });
const opened: Countdown = {
  key: "k3-1m",
  expect: "20260302-0003",
  state: "open",
  second: 57,
  close_ms: 177_000,
  draw_ms: 180_000,
  server_now_ms: 120_050,
  commit: "b".repeat(64),
  beacon: "none",
  awaits_beacon: null,
  pause: null,
};
const drawn: Result = {
  key: "k3-1m",
  expect: "20260302-0002",
  kind: "dice-sum",
  opencode: [6, 6, 5],
  one: "A",
  two: "C",
  sum: 17,
  seed: "c".repeat(64),
  head: null,
  rule: "none",
  beacon: "",
  beacon_signature: "",
};

describe("a game with its pushes", () => {
  it("is as it was answered while nothing was pushed", () => {
    expect(withUpdate(answered, undefined)).toEqual(answered);
  });

  it("goes to the next round with its countdown, and to the last dice with their result", () => {
    const update = withResult(withCountdown({}, opened), drawn);
    const { next_expect, close_ms, now_expect, opencode, one, two, name } = withUpdate(answered, update);
    expect([next_expect, close_ms]).toEqual(["20260302-0003", 177_000]);
    expect([now_expect, opencode, one, two]).toEqual(["20260302-0002", [6, 6, 5], "A", "C"]);
    expect(name).toBe("One minute");
  });

  it("keeps an answer that is newer than the push", () => {
    const later = { ...answered, next_expect: "20260302-0004", now_expect: "20260302-0003", server_now_ms: 180_050 };
    expect(withUpdate(later, withResult(withCountdown({}, opened), drawn))).toEqual(later);
  });

  it("does not go back for an older message that comes later", () => {
    const now = withResult(withCountdown({}, opened), drawn);
    expect(withSnapshot(now, answered)).toEqual(now);
  });

  it("accepts no bets once it is paused", () => {
    const paused: Countdown = { ...opened, expect: null, state: "paused", close_ms: null, draw_ms: null, commit: null };
    expect(withUpdate(answered, withCountdown({}, paused))).toMatchObject({ state: "paused", next_expect: null });
  });
});
