// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serverTime } from "#client/api/server-time.ts";
import type { OwnRound } from "#client/machines/own-round.ts";
import { AtStake } from "#client/screens/member/AtStake.tsx";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { ownRounds } from "#shared/contract/lottery.ts";
import { openGame } from "../../../support/open-game.ts";
import { WAITING } from "../../../support/own-round.ts";
import { setStage, show, whereNow } from "../../../support/Stage.tsx";

setStage();

const NOW = 1_772_409_600_000;
const GAME = openGame({ second: 40, close_ms: NOW + 40_000, draw_ms: NOW + 43_000, server_now_ms: NOW });
const OPEN: OwnRound = { ...WAITING, expect: "20260302-0002" };
const OTHER: OwnRound = { ...OPEN, key: "k3-3m", money: "12.50" };

let waiting: readonly OwnRound[];
let answers: QueryClient;

beforeEach(() => {
  writeStored("token", "mia-0001");
  serverTime.forget();
  serverTime.update(NOW);
  vi.stubGlobal("fetch", (url: string) => {
    const data = url.includes(ownRounds.path) ? waiting : GAME;
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

function Answers() {
  answers = useQueryClient();
  return null;
}

const showWith = (...rounds: OwnRound[]) => {
  waiting = rounds;
  show(
    <>
      <AtStake />
      <Answers />
    </>,
    { places: ["/Mine"] },
  );
};
const said = () => screen.getByText("At stake now").nextElementSibling!.textContent;

describe("what is at stake on Me", () => {
  it("is nothing without a round that waits", async () => {
    showWith();
    await vi.waitFor(() => expect(said()).toBe("0"));
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("is a round's stake with the time to its close, and leads to its table", async () => {
    showWith(OPEN);
    await vi.waitFor(() => expect(said()).toMatch(/^30\W+00:\d\d$/));
    screen.getByRole("link").click();
    await vi.waitFor(() => expect(whereNow()).toBe("/Lottery?key=k3-1m"));
  });

  it("waits for a draw that its game has left behind", async () => {
    showWith({ ...OPEN, expect: "20260302-0001" });
    await vi.waitFor(() => expect(said()).toMatch(/^30\W+Drawing$/));
  });

  it("is the sum of several rounds, and leads to the bets", async () => {
    showWith(OPEN, OTHER);
    await vi.waitFor(() => expect(said()).toBe("42.50"));
    screen.getByRole("link").click();
    await vi.waitFor(() => expect(whereNow()).toBe("/GameRecord"));
  });

  it("keeps the place of a round that is settled meanwhile, and leads to its result", async () => {
    showWith(OPEN);
    await vi.waitFor(() => expect(said()).toMatch(/^30/));
    waiting = [];
    await answers.invalidateQueries({ queryKey: [ownRounds.path] });
    await vi.waitFor(() => expect(said()).toBe("See the result"));
    expect(screen.getByRole("link").getAttribute("href")).toBe("/Lottery?key=k3-1m");
  });
});
