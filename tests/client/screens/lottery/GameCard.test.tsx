// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
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
const NEXT: Lottery = {
  ...GAME,
  now_expect: "20260302-0002",
  opencode: [6, 5, 4],
  one: "A",
  two: "C",
  next_expect: "20260302-0003",
  close_ms: NOW + 100_000,
};

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("a game's card", () => {
  it("shows its round, the time left, and its last draw", () => {
    show(<GameCard game={GAME} />);
    expect(screen.getByText("Open for bets")).toBeTruthy();
    expect(screen.getByRole("timer", { name: "Betting closes in 00:40" })).toBeTruthy();
    expect(screen.getByText("Round 20260302-0002")).toBeTruthy();
    expect(screen.getByText("Last draw · 20260302-0001")).toBeTruthy();
    expect(screen.getByRole("img", { name: "Dice 1, 2, 3, sum 6" })).toBeTruthy();
    expect([screen.queryByText("Small"), screen.queryByText("Even")]).not.toContain(null);
  });

  it("shows as many dice as its kind has, and names the draw as its kind does", () => {
    const { change } = show(<GameCard game={{ ...GAME, kind: "dice-pair", opencode: [3, 4], one: null, two: "C" }} />);
    expect(screen.getByRole("img", { name: "Dice 3, 4, sum 7" }).children).toHaveLength(2);
    expect(screen.getByText("Odd")).toBeTruthy();
    expect(screen.queryByText(/Big|Small/)).toBeNull();
    change(<GameCard game={{ ...GAME, kind: "dice-faces", opencode: [5, 2, 5], one: null, two: null }} />);
    expect(screen.getByText("Double 5")).toBeTruthy();
    expect(screen.queryByText("12")).toBeNull();
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
    change(<GameCard game={NEXT} />);
    await pass(0);
    expect(screen.getByText("Open for bets")).toBeTruthy();
    expect(screen.getByRole("timer").textContent).toBe("01:00");
  });

  it("lets dice roll that are drawn in view, and no others", () => {
    const isRolling = () => screen.getByRole("img").innerHTML.includes("animate-roll");
    const { change } = show(<GameCard game={GAME} />);
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
    expect(screen.queryByText(/^Round/)).toBeNull();
  });

  it("does not say open while games are switched off", () => {
    show(<GameCard game={GAME} />, { site: { isplay: 0 } });
    expect(screen.getByText("Feature disabled")).toBeTruthy();
    expect(screen.queryByText("Open for bets")).toBeNull();
    expect(screen.queryByRole("timer")).toBeNull();
  });

  it("says that nothing has been drawn yet", () => {
    show(<GameCard game={{ ...GAME, now_expect: null, opencode: null, one: null, two: null }} />);
    expect(screen.getByText("No draw yet")).toBeTruthy();
    expect(screen.queryByRole("img", { name: /^Dice/ })).toBeNull();
  });
});
