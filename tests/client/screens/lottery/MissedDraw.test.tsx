// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { keepCurrent } from "#client/api/keep-current.ts";
import { useEndpoint } from "#client/api/queries.ts";
import { serverTime } from "#client/api/server-time.ts";
import { boardOf } from "#client/screens/lottery/boards.ts";
import { HistoryStrip } from "#client/screens/lottery/HistoryStrip.tsx";
import { RoundTable } from "#client/screens/lottery/RoundTable.tsx";
import { useBettingRound } from "#client/screens/lottery/use-betting-round.ts";
import { useOwnTable } from "#client/screens/lottery/use-own-rounds.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { lotteryHistory, lotteryInfo, ownRounds, type Lottery } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase } from "#shared/contract/site.ts";
import { getLimits, LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import { openGame } from "../../../support/open-game.ts";
import { OWN } from "../../../support/SeatedTable.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const NOW = 1_772_409_600_000;
const OPEN = openGame({ second: 40, close_ms: NOW + 40_000, draw_ms: NOW + 43_000, server_now_ms: NOW });
const dice = { opencode: [6, 5, 4], one: "A", two: "C" } as const;
const MISSED = OPEN.next_expect!;
/** The same game after the draw of its open round. */
const LATER: Lottery = {
  ...OPEN,
  ...dice,
  opencode: [...dice.opencode],
  now_expect: MISSED,
  next_expect: "20260302-0003",
  recent: [{ expect: MISSED, opencode: [...dice.opencode] }, ...OPEN.recent],
  close_ms: NOW + 100_000,
  draw_ms: NOW + 103_000,
  server_now_ms: NOW + 60_000,
};

/** The game as the server knows it, and the member's stakes on it. */
let game: Lottery;
let own: readonly object[];
const rowOf = ({ expect, opencode }: Lottery["recent"][number]) => ({
  expect,
  opencode,
  kind: game.kind,
  one: null,
  two: null,
  sum: 0,
  draw_time: 0,
});
const none = Object.fromEntries(LIMIT_FIELDS.map((name) => [name, null]));
const ANSWERS: Record<string, () => unknown> = {
  [lotteryInfo.path]: () => game,
  [lotteryHistory.path]: () => game.recent.map(rowOf),
  [ownRounds.path]: () => own,
  [getUserInfo.path]: () => ({ id: "1", username: "mia", money: "100.00", money_value: "100", version: 1 }),
  [getLimits.path]: () => ({ ...none, remind_minutes: null, exclude_until: null, pending: [], left: none }),
  [systemBase.path]: () => ({ name: "Trio", unit: "point", isplay: 1, isluckdraw: 0 }),
};

let answers: QueryClient;
/** The paths that are answered no more. */
let silent: Set<string>;

beforeEach(async () => {
  [game, own, silent] = [OPEN, [], new Set()];
  answers = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  vi.stubGlobal("fetch", (url: string) => {
    const path = new URL(url, "http://trio").pathname.replace("/api", "");
    if (silent.has(path)) return new Promise(() => {});
    return Promise.resolve(Response.json({ code: 200, msg: "", data: ANSWERS[path]?.() ?? {} }));
  });
  serverTime.forget();
  await boardOf(OPEN.kind).load();
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});
afterAll(() => bus.all.clear());

/** What of the table tells draws. */
function Table({ known }: { known: Lottery }) {
  const { actor, snapshot } = useBettingRound(known.key, known.id);
  const table = useOwnTable(known, actor, snapshot);
  return (
    <>
      <RoundTable game={known} actor={actor} snapshot={snapshot} own={table} />
      <HistoryStrip gameKey={known.key} kind={known.kind} recent={known.recent} flying={table.flying} />
    </>
  );
}

function Game() {
  const { data } = useEndpoint(lotteryInfo, { key: OPEN.key });
  return data ? <Table known={data} /> : null;
}

const come = () =>
  show(
    <QueryClientProvider client={answers}>
      <Game />
    </QueryClientProvider>,
  );
const lastDraw = async () => within(await screen.findByRole("heading", { name: /^Last/ }));
const strip = async () => within(await screen.findByRole("region", { name: "Past draws" }));

/** The member sees the table, is away for the next draw, and comes back within half a minute. */
async function comeBack(): Promise<void> {
  const { unmount } = come();
  (await lastDraw()).getByText(OPEN.now_expect!);
  expect((await strip()).getAllByRole("link")).toHaveLength(1);
  unmount();
  game = LATER;
}

describe("a draw that was missed while another screen was open", () => {
  it("is the last draw, and in the strip, for whoever comes back", async () => {
    keepCurrent(answers, () => 0);
    await comeBack();
    silent.add(lotteryInfo.path);
    come();
    bus.emit("snapshot", LATER);
    expect((await lastDraw()).getByText(MISSED)).toBeTruthy();
    await expect.poll(async () => (await strip()).getAllByRole("link").map(({ title }) => title)).toContain(MISSED);
  });

  it("is found without the live connection too", async () => {
    await comeBack();
    come();
    await expect.poll(async () => (await lastDraw()).queryByText(MISSED)).toBeTruthy();
    await expect.poll(async () => (await strip()).getAllByRole("link").map(({ title }) => title)).toContain(MISSED);
  });

  it("leaves no hole where the next one is pushed before it is asked for", async () => {
    keepCurrent(answers, () => 0);
    await comeBack();
    come();
    bus.emit("snapshot", LATER);
    const next = { ...dice, key: OPEN.key, kind: OPEN.kind, sum: 15, seed: "5", head: null, rule: "none" };
    bus.emit("result", { ...next, expect: "20260302-0003", beacon: "", beacon_signature: "" });
    await expect.poll(async () => (await strip()).getAllByRole("link").map(({ title }) => title)).toContain(MISSED);
  });

  it("shows what it brought the member", async () => {
    writeStored("token", "mia-0001");
    keepCurrent(answers, () => 0);
    own = [{ ...OWN, expect: MISSED }];
    await comeBack();
    own = [{ ...OWN, expect: MISSED, opencode: dice.opencode, win: "39.00" }];
    await answers.invalidateQueries({ queryKey: [ownRounds.path] });
    come();
    bus.emit("snapshot", LATER);
    expect(await screen.findByText("+9")).toBeTruthy();
  });
});
