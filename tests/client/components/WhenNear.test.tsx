// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WhenNear } from "#client/components/WhenNear.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

/** What the browser is asked to watch, and how it answers. */
let seen: ((entries: { isIntersecting: boolean }[]) => void) | null = null;
let margin: string | undefined;

class Watcher {
  constructor(see: NonNullable<typeof seen>, { rootMargin }: IntersectionObserverInit) {
    [seen, margin] = [see, rootMargin];
  }
  observe() {}
  disconnect() {
    seen = null;
  }
}
beforeEach(() => void vi.stubGlobal("IntersectionObserver", Watcher));
afterEach(() => void vi.unstubAllGlobals());

const tell = (...near: boolean[]) => act(() => seen?.(near.map((isIntersecting) => ({ isIntersecting }))));

const part = (given: { isKnown?: boolean; onNear?: () => void }) => (
  <WhenNear place={<p>place</p>} isKnown={false} onNear={() => {}} {...given}>
    part
  </WhenNear>
);

describe("a part far down its screen", () => {
  it("is its place until the reader comes near, and stays when they go", () => {
    const onNear = vi.fn<() => void>();
    show(part({ onNear }));
    expect(margin).toBe("0px 0px 400px");
    tell(false);
    expect(screen.queryByText("place")).toBeTruthy();
    expect(onNear).not.toHaveBeenCalled();
    tell(false, true);
    expect(screen.queryByText("place")).toBeNull();
    expect(screen.queryByText("part")).toBeTruthy();
    expect(seen).toBeNull();
    expect(onNear).toHaveBeenCalledOnce();
  });

  it("is there at once where what it shows is known", () => {
    show(part({ isKnown: true }));
    expect(screen.queryByText("part")).toBeTruthy();
    expect(seen).toBeNull();
  });
});
