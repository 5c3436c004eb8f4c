// @vitest-environment happy-dom
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usePages } from "#client/api/pages.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { listingList } from "#shared/contract/listing.ts";

/** How many rows there are, which pages were requested, and which ones fail. */
let total = 25;
let asked: string[] = [];
let broken: string[] = [];

function answer(path: string) {
  const query = new URL(path, "http://trio").searchParams;
  const page = query.get("page")!;
  asked.push(page);
  if (broken.includes(page)) return Promise.reject(new TypeError("no line"));
  const from = (Number(page) - 1) * 10;
  const list = Array.from({ length: Math.max(0, Math.min(10, total - from)) }, (_, i) => ({ id: `${from + i}` }));
  const data = { list, count: total };
  return Promise.resolve(Response.json({ code: 200, msg: "", data }));
}

let answers: QueryClient;
beforeEach(() => {
  answers = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  vi.stubGlobal("fetch", answer);
  [total, asked, broken] = [25, [], []];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The list on the screen, how often it rendered, and the app's router. */
let pages: ReturnType<typeof useList>;
let renders = 0;
let navigate: NavigateFunction;

/** An answer of the simulated browser is made of its own kind of objects, and would equal no other. */
const rowsOf = ({ list, count }: ReplyOf<typeof listingList>) => ({ list: list.map((row) => ({ ...row })), count });
const useList = (isAhead: boolean) => usePages(listingList, rowsOf, { isAhead });

function List({ isAhead }: { isAhead: boolean }) {
  pages = useList(isAhead);
  renders++;
  return null;
}

function Screens({ isAhead }: { isAhead: boolean }) {
  navigate = useNavigate();
  return useLocation().pathname === "/nHomeList" ? createElement(List, { isAhead }) : null;
}

function begin(isAhead = true): void {
  const screens = createElement(Screens, { isAhead });
  const router = createElement(MemoryRouter, { initialEntries: ["/Home", "/nHomeList"] }, screens);
  render(createElement(QueryClientProvider, { client: answers }, router));
}

const go = (to: string) => act(() => void navigate(to));
const back = () => act(() => void navigate(-1));
const next = () => act(() => void pages.fetchNextPage());
const renew = () => act(async () => (await pages.renew()).isError);
const fault = () => (pages.isLoadingError ? " unknown" : pages.isFetchNextPageError ? " broken" : "");
const state = () => `${pages.rows.length} ${pages.hasNextPage ? "more" : "all"}${fault()}`;

interface Kept {
  pages: { rows: unknown[] }[];
}

/** The list in the cache. */
const kept = () => answers.getQueryCache().find<Kept>({ queryKey: [listingList.path, "pages"], exact: false })!.state;
const rowsKnown = () => kept().data?.pages.flatMap(({ rows }) => rows).length;
const shows = (wanted: string) => waitFor(() => expect(state()).toBe(wanted));

describe("pages of a list", () => {
  it("render their reader no more where the same is answered again", async () => {
    begin(false);
    await shows("10 more");
    const before = { renders, asked: asked.length };
    await act(async () => {
      await pages.refetch();
      await new Promise<void>((told) => notifyManager.schedule(told));
    });
    expect({ renders, asked: asked.length }).toEqual({ renders: before.renders, asked: before.asked + 1 });
  });

  it("come one after another, each once, until the count is reached", async () => {
    begin(false);
    await shows("10 more");
    next();
    await shows("20 more");
    next();
    await shows("25 all");
    expect(asked).toEqual(["1", "2", "3"]);
  });

  it("end with the count, without an empty page", async () => {
    total = 10;
    begin();
    await shows("10 all");
    expect(asked).toEqual(["1"]);
  });

  it("are prefetched one ahead", async () => {
    begin();
    await shows("10 more");
    await waitFor(() => expect(asked).toEqual(["1", "2"]));
    next();
    await shows("20 more");
    await waitFor(() => expect(asked).toEqual(["1", "2", "3"]));
  });

  it("are fetched when they are needed if prefetching failed", async () => {
    broken = ["2"];
    begin();
    await shows("10 more");
    await waitFor(() => expect(asked).toEqual(["1", "2"]));
    next();
    await shows("10 more broken");
    broken = [];
    next();
    await shows("20 more");
    expect(asked.filter((page) => page === "1")).toHaveLength(1);
  });
});

describe("a list that is refetched", () => {
  it("begins again with its first page", async () => {
    begin();
    await shows("10 more");
    next();
    await shows("20 more");
    total = 12;
    expect(await renew()).toBe(false);
    await shows("10 more");
    next();
    await shows("12 all");
    expect(asked).toEqual(["1", "2", "3", "1", "2"]);
  });

  it("keeps all that is known, and its age, when that fails, and says so", async () => {
    begin();
    await shows("10 more");
    next();
    await shows("20 more");
    const heard = kept().dataUpdatedAt;
    const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    broken = ["1"];
    expect(await renew()).toBe(true);
    later.mockRestore();
    await shows("20 more");
    expect(kept().dataUpdatedAt).toBe(heard);
    expect(asked.filter((page) => page === "1")).toHaveLength(2);
  });

  it("shows what is known until its first page is there", async () => {
    begin();
    await shows("10 more");
    next();
    await shows("20 more");
    const seen = new Set<string>();
    const stop = answers.getQueryCache().subscribe(() => seen.add(String(rowsKnown())));
    await renew();
    stop();
    expect([...seen]).toEqual(["20", "10"]);
    await shows("10 more");
  });

  it("says that nothing is known when its first page fails", async () => {
    broken = ["1"];
    begin();
    await shows("0 all unknown");
    broken = [];
    expect(await renew()).toBe(false);
    await shows("10 more");
  });
});

describe("a list that is returned to", () => {
  async function leave(ms: number) {
    begin();
    await shows("10 more");
    next();
    await shows("20 more");
    await waitFor(() => expect(asked).toHaveLength(3));
    go("/nHomeDetail");
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + ms);
    asked = [];
  }
  afterEach(() => void vi.restoreAllMocks());

  it("is as it was left, however long ago, and makes no call", async () => {
    await leave(600_000);
    back();
    await shows("20 more");
    expect(asked).toEqual([]);
  });

  it("starts over when it is opened by another way, after a while", async () => {
    await leave(31_000);
    go("/nHomeList");
    await shows("10 more");
    await waitFor(() => expect(asked).toEqual(["1", "2"]));
  });

  it("is as it was when it is opened again soon", async () => {
    await leave(5_000);
    go("/nHomeList");
    await shows("20 more");
    expect(asked).toEqual([]);
  });
});
