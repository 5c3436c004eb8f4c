// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { ConnectionBanner } from "#client/components/ConnectionBanner.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const AWAY = "No live connection. It comes back by itself.";
const SERVER_AWAY = "Nothing can be changed right now. The service comes back by itself.";
const HELLO = { server_now_ms: 0, epoch: "e", login_out: 0 } as const;
const line = (up: boolean) => act(async () => bus.emit("connection", { up }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const words = () => screen.getByRole("status").textContent;

describe("the banner of the line", () => {
  it("is silent while the line is there", async () => {
    show(<ConnectionBanner />);
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("says that the line is away, and goes when it is back", async () => {
    show(<ConnectionBanner />);
    await line(false);
    await pass(1_000);
    expect(words()).toBe(AWAY);
    await line(true);
    expect(words()).toBe("");
  });

  it("says nothing of a line that is back at once", async () => {
    show(<ConnectionBanner />);
    await line(false);
    await pass(700);
    expect(words()).toBe("");
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("says at once that the server can do nothing, until it can again or another one is there", async () => {
    show(<ConnectionBanner />);
    for (const back of [() => bus.emit("serverAway", { away: false }), () => bus.emit("hello", HELLO)]) {
      await act(async () => bus.emit("serverAway", { away: true }));
      expect(words()).toBe(SERVER_AWAY);
      await act(async () => back());
      expect(words()).toBe("");
    }
  });

  it("says that the line is away where both are", async () => {
    show(<ConnectionBanner />);
    await act(async () => bus.emit("serverAway", { away: true }));
    await line(false);
    await pass(1_000);
    expect(words()).toBe(AWAY);
  });

  it("leaves nothing running when it goes", async () => {
    const { unmount } = show(<ConnectionBanner />);
    await line(false);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
