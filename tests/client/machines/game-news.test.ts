import { describe, expect, it } from "vitest";
import { withCountdown, withResult, withSnapshot, withNews } from "#client/machines/game-news.ts";
import type { Countdown, Result } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

const answered: Lottery = {
  id: "lot_1",
  key: "k3-1m",
  name: "Three dice",
  ico: "/icons/k3.svg",
  class: "k3",
  kind: "dice-sum",
  period: 60,
  now_expect: "20260302-0001",
  opencode: [1, 2, 3],
  one: "B",
  two: "D",
  next_expect: "20260302-0002",
  state: "open",
  second: 57,
  close_ms: 117_000,
  draw_ms: 120_000,
  server_now_ms: 60_000,
  commit: "a".repeat(64),
};
const opened: Countdown = {
  key: "k3-1m",
  expect: "20260302-0003",
  state: "open",
  second: 57,
  close_ms: 177_000,
  draw_ms: 180_000,
  server_now_ms: 120_050,
  commit: "b".repeat(64),
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
};

describe("a game with its pushes", () => {
  it("is as it was answered while nothing was pushed", () => {
    expect(withNews(answered, undefined)).toEqual(answered);
  });

  it("goes to the next round with its countdown, and to the last dice with their result", () => {
    const news = withResult(withCountdown({}, opened), drawn);
    const { next_expect, close_ms, now_expect, opencode, one, two, name } = withNews(answered, news);
    expect([next_expect, close_ms]).toEqual(["20260302-0003", 177_000]);
    expect([now_expect, opencode, one, two]).toEqual(["20260302-0002", [6, 6, 5], "A", "C"]);
    expect(name).toBe("Three dice");
  });

  it("keeps an answer that is newer than the push", () => {
    const later = { ...answered, next_expect: "20260302-0004", now_expect: "20260302-0003", server_now_ms: 180_050 };
    expect(withNews(later, withResult(withCountdown({}, opened), drawn))).toEqual(later);
  });

  it("does not go back for an older message that comes later", () => {
    const now = withResult(withCountdown({}, opened), drawn);
    expect(withSnapshot(now, answered)).toEqual(now);
  });

  it("accepts no bets once it is paused", () => {
    const paused: Countdown = { ...opened, expect: null, state: "paused", close_ms: null, draw_ms: null, commit: null };
    expect(withNews(answered, withCountdown({}, paused))).toMatchObject({ state: "paused", next_expect: null });
  });
});
