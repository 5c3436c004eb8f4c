// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { ConnectionBanner } from "#client/components/ConnectionBanner.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const AWAY = "No live connection. Reconnecting…";
const SERVER_AWAY = "Nothing can be changed right now. The service will be back by itself.";
const HELLO = {
  server_now_ms: 0,
  epoch: "e",
  login_out: 0,
  head: null,
  witnesses: { keys: [] as string[], needed: 0 },
} as const;
const line = (up: boolean) => act(async () => bus.emit("connection", { up }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const words = () => screen.getByRole("status").textContent;

describe("the banner of the connection", () => {
  it("is hidden while the connection is up", async () => {
    show(<ConnectionBanner />);
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("says that the connection is away, and goes when it is back", async () => {
    show(<ConnectionBanner />);
    await line(false);
    await pass(1_000);
    expect(words()).toBe(AWAY);
    await line(true);
    expect(words()).toBe("");
  });

  it("stays hidden when the connection is back at once", async () => {
    show(<ConnectionBanner />);
    await line(false);
    await pass(700);
    expect(words()).toBe("");
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("says at once that the server is unavailable, until it is back or another one answers", async () => {
    show(<ConnectionBanner />);
    for (const back of [() => bus.emit("serverAway", { away: false }), () => bus.emit("hello", HELLO)]) {
      await act(async () => bus.emit("serverAway", { away: true }));
      expect(words()).toBe(SERVER_AWAY);
      await act(async () => back());
      expect(words()).toBe("");
    }
  });

  it("says that the connection is away where both are true", async () => {
    show(<ConnectionBanner />);
    await act(async () => bus.emit("serverAway", { away: true }));
    await line(false);
    await pass(1_000);
    expect(words()).toBe(AWAY);
  });

  it("leaves no timer when it is removed", async () => {
    const { unmount } = show(<ConnectionBanner />);
    await line(false);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
