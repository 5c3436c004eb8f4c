// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HistoryStrip } from "#client/screens/lottery/HistoryStrip.tsx";
import { lotteryHistory } from "#shared/contract/lottery.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** The history strip of a game with these past draws. */
function stripOf(kind: string, ...draws: number[][]) {
  const answers = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const rows = draws.map((opencode, place) => ({ expect: `20260302-000${place + 1}`, opencode }));
  answers.setQueryData([lotteryHistory.path, { key: "any", limit: "50" }, "en_us"], rows);
  const { user } = show(
    <QueryClientProvider client={answers}>
      <HistoryStrip gameKey="any" kind={kind} recent={[]} flying={null} />
    </QueryClientProvider>,
  );
  return { user, shown: screen.getAllByRole("link").map((link) => [link.children.length, link.textContent]) };
}

describe("a draw that the game tells and the strip does not have", () => {
  const ANY_MS = 10_000;
  const draw = (number: number) => ({ expect: `20260302-000${number}`, opencode: [1, 2, 3] });

  /** How often the strip with these draws asks again, where the server keeps saying the same. */
  async function askedWith(kept: number[], recent: number[]): Promise<number> {
    const queryFn = vi.fn<() => Promise<object[]>>(async () => kept.map(draw));
    const answers = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
    vi.stubGlobal("fetch", async () => Response.json({ code: 200, msg: "", data: await queryFn() }));
    answers.setQueryData([lotteryHistory.path, { key: "any", limit: "50" }, "en_us"], kept.map(draw));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    show(
      <QueryClientProvider client={answers}>
        <HistoryStrip gameKey="any" kind="dice-sum" recent={recent.map(draw)} flying={null} />
      </QueryClientProvider>,
    );
    for (let i = 0; i < 3; i++) await act(() => vi.advanceTimersByTimeAsync(ANY_MS));
    return queryFn.mock.calls.length;
  }
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ["a newer one", [3, 2], [4, 3], 1],
    ["one in between", [4, 2], [4, 3], 1],
    ["the first one", [], [1], 1],
    ["none", [4, 3], [4, 3, 2], 0],
  ])("is asked for once: %s", async (_, kept, recent, times) => {
    expect(await askedWith(kept, recent)).toBe(times);
  });
});

it("a past draw shows its dice or their sum, and its name below", () => {
  expect(stripOf("dice-faces", [5, 2, 5]).shown).toEqual([[3, "Double 5Round 20260302-0001"]]);
});

it("a past draw without a name has no empty line below it", () => {
  expect(stripOf("a-kind-of-tomorrow", [1, 2, 3, 4]).shown).toEqual([[2, "10Round 20260302-0001"]]);
});

it("a past draw leads to its check", () => {
  stripOf("dice-sum", [1, 2, 3], [6, 6, 5]);
  const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/Fair?key=any&expect=20260302-0001", "/Fair?key=any&expect=20260302-0002"]);
});

it("the statistics say each road in words, and each count beside what is expected", async () => {
  const { user } = stripOf("dice-pair", [3, 4], [6, 6], [1, 2]);
  await user.click(screen.getByRole("button", { name: "Statistics" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect(sheet.getByText(/says nothing about the next/)).toBeTruthy();
  expect(sheet.getByLabelText("From the oldest to the newest: Small, Big, Sum 7")).toBeTruthy();
  expect(sheet.getByLabelText("From the oldest to the newest: Odd, Even, Odd")).toBeTruthy();
  const row = sheet.getByRole("rowheader", { name: "Sum 7" }).closest("tr");
  expect([...row!.cells].map(({ textContent }) => textContent)).toEqual(["Sum 7", "1", "0.5"]);
});

it("a kind that is newer than the page has neither roads nor counts", async () => {
  const { user } = stripOf("a-kind-of-tomorrow", [1, 2, 3, 4]);
  await user.click(screen.getByRole("button", { name: "Statistics" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect(sheet.queryAllByRole("group")).toEqual([]);
});
