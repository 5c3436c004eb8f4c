import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { showResult } from "#client/api/show-result.ts";
import { hotLottery, lotteryHistory, lotteryInfo, lotteryList, ownRounds } from "#shared/contract/lottery.ts";

const LANG = "en_us";
const dice = { opencode: [1, 2, 3], one: "B", two: "D" } as const;
const result = {
  key: "k",
  expect: "20260302-0002",
  kind: "dice-sum",
  ...dice,
  sum: 6,
  seed: "5",
  head: null,
  rule: "none",
  beacon: "",
  beacon_signature: "",
};
const drawn = { now_expect: result.expect, ...dice };
const before = { expect: "20260302-0001", opencode: [6, 6, 6] };
const game = (key: string) => ({
  key,
  now_expect: before.expect,
  opencode: [6, 6, 6],
  one: "A",
  two: "D",
  recent: [before],
});
const row = (expect: string) => ({ expect, opencode: [6, 6, 6], one: "A", two: "D", sum: 18, draw_time: 1 });

function screens() {
  const answers = new QueryClient();
  const at = {
    info: [lotteryInfo.path, { key: "k" }, LANG],
    list: [lotteryList.path, {}, LANG],
    hot: [hotLottery.path, {}, LANG],
    history: [lotteryHistory.path, { key: "k", limit: "30" }, LANG],
    other: [lotteryHistory.path, { key: "another" }, LANG],
  };
  answers.setQueryData(at.info, game("k"));
  for (const key of [at.list, at.hot]) answers.setQueryData(key, [game("k"), game("another")]);
  for (const key of [at.history, at.other]) answers.setQueryData(key, [row("20260302-0001")]);
  return { answers, read: (name: keyof typeof at) => answers.getQueryData<never>(at[name]) };
}

it("a result is shown wherever its game is, and nowhere else", () => {
  const { answers, read } = screens();
  showResult(answers, result);
  expect(read("info")).toMatchObject(drawn);
  for (const list of ["list", "hot"] as const) expect(read(list)).toMatchObject([drawn, game("another")]);
  expect(read("history")).toMatchObject([{ expect: result.expect, sum: 6 }, row("20260302-0001")]);
  expect(read("other")).toEqual([row("20260302-0001")]);
});

it("a repeated or older result changes nothing", () => {
  const { answers, read } = screens();
  showResult(answers, result);
  const shown = [read("info"), read("history")];
  expect(shown[0]).toMatchObject({ recent: [{ expect: result.expect, opencode: dice.opencode }, before] });
  showResult(answers, result);
  showResult(answers, { ...result, expect: "20260302-0001", opencode: [4, 4, 4], sum: 12 });
  expect([read("info"), read("history")]).toEqual(shown);
});

it("an answer without this game or round stays as old as it was, and is asked again where it was to be", () => {
  const answers = new QueryClient();
  const of = (path: string, input: object = {}) => [path, input, LANG];
  const own = { key: "another", expect: result.expect, opencode: null, money: "1.00", win: null, options: [] };
  const unchanged: [unknown[], unknown][] = [
    [of(lotteryInfo.path, { key: "another" }), game("another")],
    [of(hotLottery.path), [game("another")]],
    [of(lotteryHistory.path, { key: "k" }), [row(result.expect)]],
    [of(ownRounds.path), [own]],
  ];
  for (const [key, data] of unchanged) {
    answers.setQueryData(key, data, { updatedAt: 1 });
    void answers.invalidateQueries({ queryKey: key, refetchType: "none" });
  }
  const mine = { orders: [], win: "0.00", money: "0.00", money_value: "", version: 1 };
  showResult(answers, { ...result, mine });
  const states = unchanged.map(([key]) => answers.getQueryState(key));
  expect(states).toEqual(unchanged.map(() => expect.objectContaining({ dataUpdatedAt: 1, isInvalidated: true })));
});

it("an answer that is to be asked again still is when a result changes it", () => {
  const { answers, read } = screens();
  void answers.invalidateQueries();
  showResult(answers, result);
  expect(read("info")).toMatchObject(drawn);
  expect(
    answers
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.isInvalidated),
  ).not.toContain(false);
});

it("data that was never requested stays unrequested", () => {
  const answers = new QueryClient();
  showResult(answers, result);
  expect(answers.getQueryCache().getAll()).toEqual([]);
});

it("what a round paid stands beside the member's stakes, and an answer under way is asked again", async () => {
  const answers = new QueryClient();
  const [queryKey, ofAll] = [{ key: "k" }, {}].map((input) => [ownRounds.path, input, LANG]) as [unknown[], unknown[]];
  const own = (expect: string, key = "k") => ({
    key,
    expect,
    opencode: null,
    money: "20.00",
    win: null,
    options: ["B", "7"].map((type) => ({ type, money: "10.00", pays: ["19.50"], win: null })),
  });
  answers.setQueryData(queryKey, [own(result.expect), own("20260302-0001")]);
  answers.setQueryData(ofAll, [own(result.expect, "other"), own(result.expect)]);
  showResult(answers, result);
  expect(answers.getQueryData(queryKey)).toEqual([own(result.expect), own("20260302-0001")]);
  const mine = { orders: [], win: "19.50", money: "0.00", money_value: "", version: 1 };
  showResult(answers, { ...result, mine });
  expect(answers.getQueryData(queryKey)).toMatchObject([
    { opencode: [1, 2, 3], win: "19.50", options: [{ win: "19.50" }, { win: "0.00" }] },
    own("20260302-0001"),
  ]);
  expect(answers.getQueryData(ofAll)).toMatchObject([own(result.expect, "other"), { key: "k", win: "19.50" }]);
  let asked = 0;
  const slow = new QueryObserver(answers, { queryKey, queryFn: () => (asked++ === 0 ? new Promise(() => {}) : []) });
  const stop = slow.subscribe(() => undefined);
  void slow.refetch();
  showResult(answers, { ...result, mine });
  await expect.poll(() => answers.getQueryData(queryKey)).toEqual([]);
  stop();
});
