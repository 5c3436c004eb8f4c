import { createActor, fromPromise, SimulatedClock } from "xstate";
import { bettingRound, type Bet, type Placing, type Ticket } from "#client/machines/betting-round.ts";
import type { RoundView } from "#client/machines/round-view.ts";
import type { Result } from "#shared/contract/events.ts";
import { fromUnits } from "#shared/money.ts";

/** The server's clock, far from the device's. */
export const SENT_AT = Date.UTC(2061, 0, 1);
/** From the closing to the draw. */
export const CLOSED_MS = 3_000;
export const PATIENCE = 2_500;

/** Lets settled promises run their callbacks. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The server's message of a round with this betting time left. */
export function word(
  expect: string,
  {
    left = 30_000,
    sentAt = SENT_AT,
    state = "open",
  }: { left?: number; sentAt?: number; state?: RoundView["state"] } = {},
): RoundView {
  return {
    expect,
    state,
    closeMs: sentAt + left,
    drawMs: sentAt + left + CLOSED_MS,
    sentAtMs: sentAt,
    commit: "c0ffee",
    beacon: "none",
    awaitsBeacon: null,
    pause: null,
  };
}

export const PAUSED: RoundView = {
  expect: null,
  state: "paused",
  closeMs: null,
  drawMs: null,
  sentAtMs: SENT_AT,
  commit: null,
  beacon: "none",
  awaitsBeacon: null,
  pause: null,
};

export const resultOf = (expect: string): Result => ({
  key: "k3-1m",
  expect,
  kind: "dice-sum",
  opencode: [1, 2, 3],
  one: "B",
  two: "D",
  sum: 6,
  seed: "5eed",
  head: null,
  rule: "none",
  beacon: "",
  beacon_signature: "",
});

export const PLACED: Placing = { expect: "0001", total: "20.00", balance: "80.00", receipt: "right" };

interface Server {
  /** The answers to queries for the round, one after the other; the last one repeats. */
  rounds?: (RoundView | Promise<RoundView>)[];
  place?: (ticket: Ticket) => Promise<Placing>;
  /** An unfinished bet of an earlier visit. */
  bet?: Bet;
}

/** A member on the betting screen of one game, with a clock that the test moves. */
export function sitDown({ rounds = [word("0001")], place = () => Promise.resolve(PLACED), bet }: Server = {}) {
  const clock = new SimulatedClock();
  const emitted: { type: string }[] = [];
  const tickets: Ticket[] = [];
  let asked = 0;
  let keys = 0;
  const loadRound = fromPromise(async () => rounds[Math.min(asked++, rounds.length - 1)]!);
  const placeBet = fromPromise<Placing, Ticket>(({ input }) => {
    tickets.push(input);
    return place(input);
  });
  const actor = createActor(bettingRound.provide({ actors: { loadRound, placeBet } }), {
    input: { newKey: () => `key-${++keys}`, patienceMs: PATIENCE, bet: bet ?? null },
    clock,
  });
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return {
    send: actor.send,
    emitted,
    tickets,
    asked: () => asked,
    round: () => actor.getSnapshot().value.round,
    bet: () => actor.getSnapshot().value.bet,
    known: () => actor.getSnapshot().context,
    /** Lets time pass, phase by phase where there are several, and runs its effects. */
    async pass(...phases: number[]) {
      for (const ms of phases) {
        clock.increment(ms);
        await settle();
      }
    },
    choose(options: string[], stake = "10") {
      for (const option of options) actor.send({ type: "toggle", option });
      actor.send({ type: "stake", typed: stake });
    },
    place(balance = 100) {
      actor.send({ type: "place", balance: fromUnits(balance) });
    },
  };
}

export type Table = ReturnType<typeof sitDown>;

/** On the betting screen, with the first answer about the round. */
export async function seated(server?: Server): Promise<Table> {
  const table = sitDown(server);
  await settle();
  return table;
}
