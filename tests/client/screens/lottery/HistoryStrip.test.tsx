// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { HistoryStrip } from "#client/screens/lottery/HistoryStrip.tsx";
import { lotteryHistory } from "#shared/contract/lottery.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** The history strip of a game with these past draws. */
function stripOf(kind: string, ...draws: number[][]) {
  const answers = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const rows = draws.map((opencode, place) => ({ expect: `20260302-000${place + 1}`, opencode }));
  answers.setQueryData([lotteryHistory.path, { key: "any", limit: "30" }, "en_us"], rows);
  show(
    <QueryClientProvider client={answers}>
      <HistoryStrip gameKey="any" kind={kind} />
    </QueryClientProvider>,
  );
  return screen.getAllByRole("listitem");
}

it("a past draw shows its dice or their sum, and its name below", () => {
  const [faces] = stripOf("dice-faces", [5, 2, 5]);
  expect([faces!.children.length, faces!.textContent]).toEqual([2, "Double 5"]);
});

it("a past draw without a name has no empty line below it", () => {
  const [newer] = stripOf("a-kind-of-tomorrow", [1, 2, 3, 4]);
  expect([newer!.children.length, newer!.textContent]).toEqual([1, "10"]);
});
