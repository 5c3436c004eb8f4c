// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus, showToast } from "#client/api/bus.ts";
import { Toaster } from "#client/components/Toaster.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const told = (...words: string[]) => act(async () => words.forEach((text) => showToast(text)));

describe("toasts", () => {
  it("are shown at once", async () => {
    show(<Toaster />);
    expect(screen.queryByText("Copied")).toBeNull();
    await told("Copied");
    expect(screen.getAllByText("Copied")).not.toHaveLength(0);
  });

  it("wait for what shows them", async () => {
    await told("Early");
    show(<Toaster />);
    expect(screen.getAllByText("Early")).not.toHaveLength(0);
  });

  it("are a live region for screen readers", async () => {
    show(<Toaster />);
    await told("Copied");
    const place = screen.getByRole("region", { name: "Messages" });
    expect(place.textContent).toContain("Copied");
  });

  it("go by themselves, after enough time to read them", async () => {
    show(<Toaster />);
    await told("Copied");
    await pass(3_000);
    expect(screen.getAllByText("Copied")).not.toHaveLength(0);
    await pass(2_000);
    expect(screen.queryByText("Copied")).toBeNull();
  });

  it("are at most three at a time", async () => {
    show(<Toaster />);
    await told("One", "Two", "Three", "Four");
    const shown = ["One", "Two", "Three", "Four"].filter((text) =>
      screen.queryAllByText(text).some((word) => !word.closest("[data-limited]")),
    );
    expect(shown).toEqual(["Two", "Three", "Four"]);
  });

  it("look different for errors", async () => {
    show(<Toaster />);
    await act(async () => showToast("Lost", "bad"));
    await act(async () => showToast("Won", "good"));
    const groundOf = (text: string) => screen.getAllByText(text)[0]!.closest("[class*=bg-]")!.className;
    expect(groundOf("Lost")).toContain("bg-bad");
    expect(groundOf("Won")).toContain("bg-jade");
  });

  it("are subscribed to only while they can be shown", () => {
    const { unmount } = show(<Toaster />);
    expect(bus.all.get("toast")).toHaveLength(1);
    unmount();
    expect(bus.all.get("toast")).toHaveLength(0);
  });
});
