// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LostCall } from "#client/api/call-error.ts";
import { EndlessList, type Pages } from "#client/components/EndlessList.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

/** The observer of the list's end, triggered by hand. */
class Eye {
  static open: Eye[] = [];
  readonly see: IntersectionObserverCallback;
  readonly options: IntersectionObserverInit | undefined;
  constructor(see: IntersectionObserverCallback, options?: IntersectionObserverInit) {
    this.see = see;
    this.options = options;
  }
  observe = () => void Eye.open.push(this);
  disconnect = () => void (Eye.open = Eye.open.filter((eye) => eye !== this));
}

/** Reports whether the end was in sight, once or several times in one call. */
const scrollTo = (...seen: boolean[]) =>
  act(() =>
    Eye.open.forEach(({ see }) =>
      // The list reads nothing else of an entry.
      see(
        seen.map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry),
        {} as IntersectionObserver,
      ),
    ),
  );

beforeEach(() => {
  Eye.open = [];
  vi.stubGlobal("IntersectionObserver", Eye);
});
afterEach(() => void vi.unstubAllGlobals());

const fetchNextPage = vi.fn<() => void>();
const refetch = vi.fn<() => void>();
const renew = vi.fn<() => Promise<{ isError: boolean; error: null }>>(() =>
  Promise.resolve({ isError: false, error: null }),
);
beforeEach(() => vi.clearAllMocks());

const READY: Pages<string> = {
  rows: ["one", "two"],
  isPending: false,
  isLoadingError: false,
  isFetchNextPageError: false,
  error: null,
  hasNextPage: true,
  isFetchingNextPage: false,
  fetchNextPage,
  refetch,
  renew: () => renew(),
};
const error = new LostCall("no answer");
const failed = { isLoadingError: true, error };
const nextFailed = { isFetchNextPageError: true, error };
/** What is known was asked for again in vain. */
const refetchFailed = { isLoadingError: false, isFetchNextPageError: false, error };

const list = (pages: Partial<Pages<string>> = {}, isPart = false) => (
  <EndlessList
    isPart={isPart}
    pages={{ ...READY, ...pages }}
    row={(row) => <b>{row}</b>}
    keyOf={(row) => row}
    empty={<p>Nothing here</p>}
    skeleton={<p>A shape</p>}
    label="Your bets"
  />
);
const rows = () => within(screen.getByRole("list", { name: "Your bets" })).getAllByRole("listitem");

describe("a list without rows", () => {
  it("shows a placeholder while it waits", () => {
    show(list({ rows: [], isPending: true }));
    expect(screen.getByText("A shape")).toBeTruthy();
    expect(screen.queryByText("Nothing here")).toBeNull();
  });

  it("says what to do when there are none", () => {
    show(list({ rows: [], hasNextPage: false }));
    expect(screen.getByText("Nothing here")).toBeTruthy();
    expect(screen.queryByRole("list")).toBeNull();
  });

  it("stays empty when it is asked for again in vain", () => {
    show(list({ rows: [], hasNextPage: false, ...refetchFailed }));
    expect(screen.getByText("Nothing here")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says why it failed, and can be retried", async () => {
    const { user } = show(list({ rows: [], ...failed }));
    expect(screen.getByRole("alert").textContent).toContain("The server could not be reached");
    expect(screen.queryByText("Nothing here")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect([refetch, fetchNextPage].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });
});

describe("a list with rows", () => {
  it("shows them in their order", () => {
    show(list());
    expect(rows().map(({ textContent }) => textContent)).toEqual(["one", "two"]);
  });

  it("loads more 50 px before its end, and not before", () => {
    show(list());
    expect(Eye.open.map(({ options }) => options?.rootMargin)).toEqual(["50px"]);
    scrollTo(false);
    expect(fetchNextPage).not.toHaveBeenCalled();
    scrollTo(true);
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
    expect(screen.getAllByRole("status").at(-1)!.textContent).toBe("Loading…");
  });

  it("goes by the last report, when several come late", () => {
    show(list());
    scrollTo(true, false);
    expect(fetchNextPage).not.toHaveBeenCalled();
    scrollTo(false, true);
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
  });

  it("does not request a page twice", () => {
    const { change } = show(list());
    scrollTo(true);
    change(list({ isFetchingNextPage: true }));
    scrollTo(true);
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
  });

  it("requests again when a page came and the end is still in sight", () => {
    const { change } = show(list());
    change(list({ isFetchingNextPage: true }));
    change(list({ rows: ["one", "two", "three"] }));
    scrollTo(true);
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
  });

  it("checks its end again after each page, as a prefetched one may not fill the screen", () => {
    const { change } = show(list());
    const [before] = Eye.open;
    change(list({ rows: ["one", "two", "three"] }));
    expect(Eye.open).toHaveLength(1);
    expect(Eye.open[0]).not.toBe(before);
  });

  it("shows a repeated row once", () => {
    show(list({ rows: ["one", "two", "one"] }));
    expect(rows().map(({ textContent }) => textContent)).toEqual(["one", "two"]);
  });

  it("says when there is no more", () => {
    show(list({ hasNextPage: false }));
    expect(screen.getAllByRole("status").at(-1)!.textContent).toBe("That is all");
    expect(Eye.open).toEqual([]);
  });

  it("keeps its rows when the next page fails, and requests that page again", async () => {
    const { user } = show(list(nextFailed));
    expect(rows()).toHaveLength(2);
    expect(Eye.open).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect([refetch, fetchNextPage].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  });

  it("ends as before, and loads more, when it is asked for again in vain", () => {
    const { change } = show(list(refetchFailed));
    expect(screen.queryByRole("alert")).toBeNull();
    scrollTo(true);
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
    change(list({ ...refetchFailed, hasNextPage: false }));
    expect(screen.getAllByRole("status").at(-1)!.textContent).toBe("That is all");
  });

  it.each([
    [false, 1],
    [true, 0],
  ])("begins again when it is pulled down, unless it is a part of its screen (%s)", async (isPart, times) => {
    show(<main>{list({}, isPart)}</main>);
    const row = rows()[0]!;
    const at = (clientY: number) => ({ touches: [{ clientX: 0, clientY }] });
    fireEvent.touchStart(row, at(0));
    fireEvent.touchMove(row, at(200));
    fireEvent.touchEnd(row);
    await vi.waitFor(() => expect(renew).toHaveBeenCalledTimes(times), 10_000);
  });

  it("stops observing when it is removed", () => {
    const { unmount } = show(list());
    unmount();
    expect(Eye.open).toEqual([]);
  });
});
