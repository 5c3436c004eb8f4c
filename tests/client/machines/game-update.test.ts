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
    const { next_expect, close_ms, now_expect, opencode, one, two, name, recent } = withUpdate(answered, update);
    expect([next_expect, close_ms]).toEqual(["20260302-0003", 177_000]);
    expect([now_expect, opencode, one, two]).toEqual(["20260302-0002", [6, 6, 5], "A", "C"]);
    expect(name).toBe("One minute");
    expect(recent.map((draw) => [draw.expect, ...draw.opencode])).toEqual([
      ["20260302-0002", 6, 6, 5],
      ["20260302-0001", 1, 2, 3],
    ]);
  });

  it("keeps its last eight draws, each once, in their order however late one comes", () => {
    const rounds = [5, 2, 4, 9, 3, 8, 7, 6].map((number) => `20260302-000${number}`);
    const update = rounds.reduce((known, expect) => withResult(known, { ...drawn, expect }), {});
    const again = withSnapshot(update, answered);
    const told = withUpdate(answered, again).recent.map((draw) => Number(draw.expect.slice(-1)));
    expect(told).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
  });

  it("keeps an answer that is newer than the push", () => {
    const recent = [3, 2].map((number) => ({ expect: `20260302-000${number}`, opencode: [6, 6, 5] }));
    const rounds = { next_expect: "20260302-0004", now_expect: "20260302-0003", recent };
    const later = { ...answered, ...rounds, server_now_ms: 180_050 };
    expect(withUpdate(later, withResult(withCountdown({}, opened), drawn))).toEqual(later);
  });

  it("does not go back for an older message that comes later", () => {
    const now = withResult(withCountdown({}, opened), drawn);
    const { round, drawn: last } = withSnapshot(now, answered);
    expect({ round, drawn: last }).toEqual({ round: now.round, drawn: now.drawn });
  });

  it("accepts no bets once it is paused", () => {
    const paused: Countdown = { ...opened, expect: null, state: "paused", close_ms: null, draw_ms: null, commit: null };
    expect(withUpdate(answered, withCountdown({}, paused))).toMatchObject({ state: "paused", next_expect: null });
  });
});
