// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serverTime } from "#client/api/server-time.ts";
import { GameCard } from "#client/screens/lottery/GameCard.tsx";
import type { Lottery } from "#shared/contract/lottery.ts";
import { openGame } from "../../../support/open-game.ts";
import { setStage, show, whereNow } from "../../../support/Stage.tsx";

setStage();

const NOW = 1_772_409_600_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  serverTime.forget();
  serverTime.update(NOW);
});
afterEach(() => void vi.useRealTimers());

const GAME = openGame({ second: 40, close_ms: NOW + 40_000, draw_ms: NOW + 43_000, server_now_ms: NOW });
const drawn = (number: number, ...opencode: number[]) => ({ expect: `20260302-000${number}`, opencode });
const NEXT: Lottery = {
  ...GAME,
  recent: [drawn(2, 6, 5, 4), drawn(1, 1, 2, 3)],
  now_expect: "20260302-0002",
  opencode: [6, 5, 4],
  one: "A",
  two: "C",
  next_expect: "20260302-0003",
  close_ms: NOW + 100_000,
};

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("a game's card", () => {
  it("shows the time left, and its last draws, newest first, each with a text", () => {
    show(<GameCard game={NEXT} />);
    expect(screen.getByText("Open for bets")).toBeTruthy();
    expect(screen.getByRole("timer", { name: "Betting closes in 01:40" })).toBeTruthy();
    const draws = within(screen.getByRole("list", { name: "Past draws" })).getAllByRole("img");
    expect(draws.map((draw) => [draw.textContent, draw.getAttribute("aria-label")])).toEqual([
      ["15", "Dice 6, 5, 4, sum 15"],
      ["6", "Dice 1, 2, 3, sum 6"],
    ]);
  });

  it("shows as many dice as its kind has, and a draw as its kind tells it", () => {
    const { change } = show(<GameCard game={{ ...GAME, kind: "dice-pair", recent: [drawn(1, 3, 4)] }} />);
    expect(screen.getByRole("img", { name: "Dice 3, 4, sum 7" }).textContent).toBe("7");
    change(<GameCard game={{ ...GAME, kind: "dice-faces", recent: [drawn(1, 5, 2, 5)] }} />);
    expect(screen.getByRole("img", { name: "Dice 5, 2, 5, sum 12" }).textContent).toBe("525");
  });

  it("names its kind, unless its name says it", () => {
    const { change } = show(<GameCard game={GAME} />);
    expect(screen.getByText("Three dice")).toBeTruthy();
    change(<GameCard game={{ ...GAME, name: "Three dice · 1 minute" }} />);
    expect(screen.queryByText("Three dice")).toBeNull();
  });

  it("shows its period, in the largest whole unit", () => {
    const { change } = show(<GameCard game={GAME} />);
    expect(screen.getByText("Every 1 min")).toBeTruthy();
    change(<GameCard game={{ ...GAME, period: 90 }} />);
    expect(screen.getByText("Every 90 sec")).toBeTruthy();
    change(<GameCard game={{ ...GAME, period: 86_400 }} />);
    expect(screen.getByText("Every 24 hr")).toBeTruthy();
  });

  it("counts down to the draw, and on to the next round", async () => {
    const { change } = show(<GameCard game={GAME} />);
    // The next second begins a moment after the full one.
    await pass(10_100);
    expect(screen.getByRole("timer").textContent).toBe("00:30");
    await pass(30_000);
    expect(screen.getByText("Drawing")).toBeTruthy();
    expect(screen.getByRole("img", { name: "The dice have not been drawn yet" })).toBeTruthy();
    change(<GameCard game={NEXT} />);
    await pass(0);
    expect(screen.getByText("Open for bets")).toBeTruthy();
    expect(screen.getByRole("timer").textContent).toBe("01:00");
  });

  it("lets dice roll that are drawn in view, and no others", () => {
    const { change, container } = show(<GameCard game={GAME} />);
    const isRolling = () => container.querySelector(".animate-roll") !== null;
    expect(isRolling()).toBe(false);
    change(<GameCard game={NEXT} />);
    expect(isRolling()).toBe(true);
  });

  it("leads to its betting screen", () => {
    show(<GameCard game={GAME} />);
    act(() => screen.getByRole("link", { name: "One minute" }).click());
    expect(whereNow()).toBe("/Lottery?key=k3-1m&id=lot_1");
  });

  it("counts nothing down while it is paused", () => {
    const paused = { state: "paused", next_expect: null, close_ms: null, draw_ms: null } as const;
    show(<GameCard game={{ ...GAME, ...paused }} />);
    expect(screen.getByText("Paused")).toBeTruthy();
    expect(screen.queryByRole("timer")).toBeNull();
  });

  it("does not say open while games are switched off", () => {
    show(<GameCard game={GAME} />, { site: { isplay: 0 } });
    expect(screen.getByText("Switched off right now")).toBeTruthy();
    expect(screen.queryByText("Open for bets")).toBeNull();
    expect(screen.queryByRole("timer")).toBeNull();
  });

  it("says that nothing has been drawn yet", () => {
    show(<GameCard game={{ ...GAME, now_expect: null, opencode: null, recent: [] }} />);
    expect(screen.getByText("No draw yet")).toBeTruthy();
    expect(screen.queryByRole("img", { name: /^Dice/ })).toBeNull();
  });
});
