// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PullToRefresh } from "#client/components/PullToRefresh.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

let answer = Promise.withResolvers<void>();
const refresh = vi.fn<() => Promise<void>>(() => answer.promise);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  answer = Promise.withResolvers();
  scrolledTo(0);
});
afterEach(() => void vi.useRealTimers());

const scrolledTo = (scrollY: number) =>
  void Object.defineProperty(window, "scrollY", { value: scrollY, configurable: true });
const says = () => screen.getByRole("status").textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function page() {
  show(
    <>
      <main>
        <PullToRefresh onRefresh={refresh}>
          <p>The list</p>
        </PullToRefresh>
      </main>
      <div role="dialog">A sheet</div>
    </>,
  );
  return screen.getByText("The list");
}

const at = (...heights: number[]) => ({ touches: heights.map((clientY) => ({ clientY })) });
/** Returns whether the page was kept from moving. */
function pull(from: Element, px: number): boolean {
  fireEvent.touchStart(from, at(100));
  return !fireEvent.touchMove(from, at(100 + px));
}

describe("a page that is pulled down", () => {
  it("says how, then to let go, then that it loads", async () => {
    const list = page();
    expect(says()).toBe("");
    expect(pull(list, 60)).toBe(true);
    expect(says()).toBe("Pull down to refresh…");
    fireEvent.touchMove(list, at(100 + 130));
    expect(says()).toBe("Release to refresh…");
    fireEvent.touchEnd(list);
    expect(says()).toBe("Loading…");
    answer.resolve();
    await pass(500);
    expect(says()).toBe("");
  });

  it("is refetched half a second after it was let go, once", async () => {
    const list = page();
    pull(list, 200);
    fireEvent.touchEnd(list);
    await pass(499);
    expect(refresh).not.toHaveBeenCalled();
    await pass(1);
    expect(refresh).toHaveBeenCalledTimes(1);
    // A second pull while it loads is ignored.
    pull(list, 200);
    fireEvent.touchEnd(list);
    await pass(1_000);
    expect([refresh.mock.calls.length, says()]).toEqual([1, "Loading…"]);
    answer.resolve();
    await pass(0);
    expect(says()).toBe("");
  });

  it("stays as it is when it was not pulled far, or was pushed back", async () => {
    const list = page();
    pull(list, 100);
    fireEvent.touchEnd(list);
    expect(says()).toBe("");
    pull(list, 200);
    fireEvent.touchMove(list, at(90));
    fireEvent.touchEnd(list);
    await pass(1_000);
    expect([refresh.mock.calls.length, says()]).toEqual([0, ""]);
  });

  it("goes back when fetching fails", async () => {
    const list = page();
    pull(list, 200);
    fireEvent.touchEnd(list);
    await pass(500);
    answer.reject(new Error("no line"));
    await pass(0);
    expect(says()).toBe("");
  });
});

describe("a finger", () => {
  it("scrolls a page that is scrolled down", () => {
    const list = page();
    scrolledTo(300);
    expect(pull(list, 200)).toBe(false);
    expect(says()).toBe("");
  });

  it("scrolls on when it goes up", () => {
    expect(pull(page(), -200)).toBe(false);
    expect(says()).toBe("");
  });

  it("does not pull when it is one of two", () => {
    const list = page();
    fireEvent.touchStart(list, at(100, 200));
    expect(fireEvent.touchMove(list, at(300, 400))).toBe(true);
    expect(says()).toBe("");
  });

  it("does not pull on an overlay", () => {
    page();
    expect(pull(screen.getByRole("dialog"), 200)).toBe(false);
    expect(says()).toBe("");
  });

  it("scrolls a list that is scrolled down in itself", () => {
    const list = page();
    Object.defineProperty(list, "scrollTop", { value: 40, configurable: true });
    expect(pull(list, 200)).toBe(false);
    expect(says()).toBe("");
  });
});
