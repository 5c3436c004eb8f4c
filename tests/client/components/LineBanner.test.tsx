// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { LineBanner } from "#client/components/LineBanner.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const AWAY = "No live connection. It comes back by itself.";
const line = (up: boolean) => act(() => bus.emit("line", { up }));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const words = () => screen.getByRole("status").textContent;

describe("the banner of the line", () => {
  it("is silent while the line is there", () => {
    show(<LineBanner />);
    line(true);
    pass(10_000);
    expect(words()).toBe("");
  });

  it("says that the line is away, and goes when it is back", () => {
    show(<LineBanner />);
    line(false);
    pass(1_000);
    expect(words()).toBe(AWAY);
    line(true);
    expect(words()).toBe("");
  });

  it("says nothing of a line that is back at once", () => {
    show(<LineBanner />);
    line(false);
    pass(700);
    expect(words()).toBe("");
    line(true);
    pass(10_000);
    expect(words()).toBe("");
  });

  it("leaves nothing running when it goes", () => {
    const { unmount } = show(<LineBanner />);
    line(false);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
