import { act } from "@testing-library/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useState } from "react";
import { fromPromise } from "xstate";
import { bus } from "#client/api/bus.ts";
import { serverTime } from "#client/api/server-time.ts";
import { showResult } from "#client/api/show-result.ts";
import { showWallet } from "#client/api/wallet.ts";
import { bettingRound, type Bet, type Placing, type Ticket } from "#client/machines/betting-round.ts";
import type { OwnRound } from "#client/machines/own-round.ts";
import { viewOf } from "#client/machines/round-view.ts";
import { BalanceInBar } from "#client/screens/lottery/BalanceInBar.tsx";
import { CartPanel } from "#client/screens/lottery/CartPanel.tsx";
import { HistoryStrip } from "#client/screens/lottery/HistoryStrip.tsx";
import { OptionBoard } from "#client/screens/lottery/OptionBoard.tsx";
import { boardOf } from "#client/screens/lottery/boards.ts";
import type { BettingActor } from "#client/screens/lottery/use-betting-round.ts";
import { RoundTable } from "#client/screens/lottery/RoundTable.tsx";
import { useOwnTable } from "#client/screens/lottery/use-own-rounds.ts";
import { writeStored } from "#client/storage/local-storage.ts";
import type { Result } from "#shared/contract/events.ts";
import { lotteryHistory, ownRounds, type Lottery } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getLimits, LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import { systemBase } from "#shared/contract/site.ts";
import { WAITING } from "./own-round.ts";
import { openGame } from "./open-game.ts";
import { oddsOf } from "./odds-of.ts";
import { show } from "./Stage.tsx";

const NOW = 1_772_409_600_000;
/** The game of the table, whose second round is open. */
export const GAME = openGame({ second: 40, close_ms: NOW + 40_000, draw_ms: NOW + 43_000, server_now_ms: NOW });
/** The open round, a bet on it, and its draw, of which that bet won 39 for 30. */
export const ROUND = GAME.next_expect!;
export const OWN = { ...WAITING, expect: ROUND };
export const RESULT: Result = {
  key: GAME.key,
  expect: ROUND,
  kind: GAME.kind,
  opencode: [6, 5, 4],
  one: "A",
  two: "C",
  sum: 15,
  seed: `5eed${"0".repeat(56)}feed`,
  head: null,
  rule: "none",
  beacon: "",
  beacon_signature: "",
  mine: { orders: [], win: "39.00", money: "139.00", money_value: "139", version: 2 },
};

const ODDS = oddsOf(GAME.kind);

/** What the member finds at the table. */
export interface Found {
  game?: Lottery;
  own?: readonly OwnRound[];
  money?: string;
  /** What the tab kept. */
  bet?: Bet;
}

/** Sets up a member's answers, as if the server had given them before. */
function answersOf({ game = GAME, own = [], money = "100.00" }: Found): QueryClient {
  const answers = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity, retry: false, refetchOnMount: false } },
  });
  const know = (path: string, input: object, reply: unknown) => answers.setQueryData([path, input, "en_us"], reply);
  know(systemBase.path, {}, { name: "Trio", unit: "point", isplay: 1, isluckdraw: 0 });
  know(getUserInfo.path, {}, { money, money_value: money, version: 1 });
  know(ownRounds.path, { key: game.key }, own);
  know(lotteryHistory.path, { key: game.key, limit: "50" }, [
    { expect: game.now_expect, kind: game.kind, opencode: game.opencode, one: null, two: null, sum: 6, draw_time: 0 },
  ]);
  const none = Object.fromEntries(LIMIT_FIELDS.map((name) => [name, null]));
  know(getLimits.path, {}, { ...none, remind_minutes: null, exclude_until: null, pending: [], left: none });
  return answers;
}

const offering = (game: Lottery, place: Place) =>
  bettingRound.provide({
    actors: {
      loadRound: fromPromise(async () => viewOf(game)),
      placeBet: fromPromise<Placing, Ticket>(({ input }) => place(input)),
    },
  });

type Place = (ticket: Ticket) => Promise<Placing>;
type Machine = ReturnType<typeof offering>;

interface SeatProps {
  game: Lottery;
  bet: Bet | null;
  machine: Machine;
  onActor: (actor: BettingActor) => void;
}

/** The parts of the table that tell a result. */
function Seat({ game, bet, machine, onActor }: SeatProps) {
  const [input] = useState({ newKey: () => "a key", bet });
  const actor = useActorRef(machine, { input });
  const snapshot = useSelector(actor, (known) => known);
  const own = useOwnTable(game, actor, snapshot);
  useEffect(() => onActor(actor), [actor, onActor]);
  const { key, kind } = game;
  return (
    <>
      <header>
        <BalanceInBar gameKey={key} />
      </header>
      <main>
        <RoundTable game={game} actor={actor} snapshot={snapshot} own={own} />
        <HistoryStrip gameKey={key} kind={kind} recent={game.recent} flying={own.flying} />
        <OptionBoard
          kind={kind}
          odds={ODDS}
          chosen={snapshot.context.cart.options}
          isCovered={false}
          marks={own.marks}
          onToggle={(option) => actor.send({ type: "toggle", option })}
        />
        <CartPanel actor={actor} snapshot={snapshot} odds={ODDS} kind={kind} own={own} note={null} />
      </main>
    </>
  );
}

/** Shows a table to a member; the test is its server. */
export async function sitDown(found: Found = {}, place: Place = () => new Promise(() => {})) {
  const { game = GAME, bet = null } = found;
  const answers = answersOf(found);
  serverTime.forget();
  serverTime.update(NOW);
  writeStored("token", "a session");
  await boardOf(game.kind).load();
  const machine = offering(game, place);
  let seated: BettingActor | null = null;
  const onActor = (actor: BettingActor) => {
    seated = actor;
  };
  const send = (event: Parameters<BettingActor["send"]>[0]) => act(async () => seated!.send(event));
  const { user } = show(
    <QueryClientProvider client={answers}>
      <Seat game={game} bet={bet} machine={machine} onActor={onActor} />
    </QueryClientProvider>,
  );
  await act(async () => {});
  return {
    user,
    send,
    /** The server pushes a result, with what the member got. */
    push: async (result: Result) => {
      await send({ type: "drawn", result });
      await act(async () => {
        bus.emit("result", result);
        showResult(answers, result);
        if (result.mine) showWallet(answers, result.mine);
      });
    },
    open: (expect: string) => send({ type: "updated", round: viewOf({ ...game, next_expect: expect }) }),
  };
}
