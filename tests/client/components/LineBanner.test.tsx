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
const line = (up: boolean) => act(async () => bus.emit("line", { up }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const words = () => screen.getByRole("status").textContent;

describe("the banner of the line", () => {
  it("is silent while the line is there", async () => {
    show(<LineBanner />);
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("says that the line is away, and goes when it is back", async () => {
    show(<LineBanner />);
    await line(false);
    await pass(1_000);
    expect(words()).toBe(AWAY);
    await line(true);
    expect(words()).toBe("");
  });

  it("says nothing of a line that is back at once", async () => {
    show(<LineBanner />);
    await line(false);
    await pass(700);
    expect(words()).toBe("");
    await line(true);
    await pass(10_000);
    expect(words()).toBe("");
  });

  it("leaves nothing running when it goes", async () => {
    const { unmount } = show(<LineBanner />);
    await line(false);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
