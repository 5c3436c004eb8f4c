// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serverTime } from "#client/api/server-time.ts";
import { useCountdown } from "#client/hooks/use-countdown.ts";

const SERVER = Date.UTC(2061, 0, 1);

beforeEach(() => {
  vi.useFakeTimers();
  serverTime.forget();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
/** A countdown that ends `leftMs` after the server's current time. */
function count(leftMs: number) {
  serverTime.update(SERVER);
  return renderHook(({ untilMs }) => useCountdown(untilMs), { initialProps: { untilMs: SERVER + leftMs } });
}

describe("a countdown", () => {
  it("shows whole seconds, rounded up, and changes when they do", () => {
    const { result } = count(2_500);
    const shown = [result.current];
    for (const ms of [499, 10, 990, 10, 990, 10]) {
      pass(ms);
      shown.push(result.current);
    }
    expect(shown).toEqual([3, 3, 2, 2, 1, 1, 0]);
  });

  it("shows every second once, down to zero, and then stops", () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const { result } = count(60_000);
    const shown = new Set([result.current]);
    for (let i = 0; i < 610; i++) {
      pass(100);
      shown.add(result.current);
    }
    expect([...shown]).toEqual(Array.from({ length: 61 }, (_, i) => 60 - i));
    expect(vi.getTimerCount()).toBe(0);
    // Once a second, with a little slack: not again and again around the change of the second.
    expect(timers.mock.calls.length).toBeLessThanOrEqual(62);
  });

  it("is empty for a time that is past or unknown", () => {
    expect(renderHook(() => useCountdown(SERVER)).result.current).toBe(0);
    expect(count(-1).result.current).toBe(0);
    expect(renderHook(() => useCountdown(null)).result.current).toBe(0);
  });

  it("starts over with another end", () => {
    const { result, rerender } = count(1_000);
    pass(1_010);
    expect(result.current).toBe(0);
    rerender({ untilMs: SERVER + 4_000 });
    expect(result.current).toBe(3);
  });

  it("follows the server's clock within a second, and at once when the page is visible again", () => {
    const { result } = count(60_000);
    serverTime.update(SERVER + 20_000);
    pass(1_010);
    expect(result.current).toBe(39);
    serverTime.update(SERVER + 51_000);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(result.current).toBe(9);
  });

  it("ends with its screen", () => {
    const { unmount } = count(60_000);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
