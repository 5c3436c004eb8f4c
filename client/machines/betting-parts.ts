import { assign, emit, enqueueActions, fromPromise, setup } from "xstate";
import type { Result } from "#shared/contract/events.ts";
import type { Money } from "#shared/money.ts";
import { EMPTY_CART, toggle, type Cart, type CartProblem } from "./cart.ts";
import { isNewer, leftToClose, leftToDraw, type RoundView } from "./round-view.ts";

const notProvided = () => Promise.reject(new Error("provide this actor"));

/** A toast tells when so much is left, as the specification says; not a second later. */
const TOAST_AT_MS = 59_000;
const TOAST_UNTIL_MS = 58_000;
/** After the draw is due, how long a push is waited for; the screen adds a random moment of its own. */
export const PATIENCE_MS = 2_500;
export const ASK_AGAIN_MS = 2_000;
/** Watchers hear something every ten seconds; whoever does not hear asks whether the pause is over. */
export const ASK_IN_PAUSE_MS = 12_000;

/** One bet on its way. The key stays the same until the server has answered. */
export interface Ticket {
  expect: string;
  cart: Cart;
  key: string;
}

/** What a member is about to bet: it outlives the screen, and a ticket without an answer is not forgotten. */
export interface Bet {
  cart: Cart;
  isPanelOpen: boolean;
  ticket: Ticket | null;
}

export const NO_BET: Bet = { cart: EMPTY_CART, isPanelOpen: false, ticket: null };

/** The round that was seen with more time left than the toast tells of, and whether it is still to be told. */
interface Toast {
  expect: string | null;
  isDue: boolean;
}

export interface BettingContext extends Bet {
  round: RoundView | null;
  result: Result | null;
  toast: Toast;
  newKey: () => string;
  patienceMs: number;
}

export type Placing = { expect: string; total: string; balance: string };

const toastAfter = (toast: Toast, round: RoundView): Toast =>
  toast.expect !== round.expect && leftToClose(round) > TOAST_AT_MS ? { expect: round.expect, isDue: true } : toast;

/** What the betting round's machine is made of; `betting-round.ts` says in which state what happens. */
export const bettingParts = setup({
  types: {
    context: {} as BettingContext,
    input: {} as { newKey: () => string; patienceMs?: number; bet?: Bet | null },
    events: {} as
      | { type: "heard"; round: RoundView }
      | { type: "drawn"; result: Result }
      | { type: "retry" }
      | { type: "toggle"; option: string }
      | { type: "stake"; typed: string }
      | { type: "panel"; open: boolean }
      | { type: "clear" }
      | { type: "place"; balance: Money },
    emitted: {} as
      | { type: "lastMinute" }
      | { type: "placed"; placing: Placing }
      | { type: "refused"; problem: CartProblem | "closed" }
      | { type: "failed"; error: unknown }
      | { type: "missed" }
      | { type: "drawn"; result: Result },
  },
  actors: {
    loadRound: fromPromise<RoundView>(notProvided),
    placeBet: fromPromise<Placing, Ticket>(notProvided),
  },
  delays: {
    timeIsUp: ({ context }) => leftToClose(context.round),
    lastMinute: ({ context }) => Math.max(0, leftToClose(context.round) - TOAST_AT_MS),
    drawIsLate: ({ context }) => leftToDraw(context.round) + context.patienceMs,
    openingIsLate: ({ context }) => context.patienceMs,
    askAgain: ASK_AGAIN_MS,
    askInPause: ASK_IN_PAUSE_MS,
  },
  guards: {
    isNews: ({ context }, { round }: { round: RoundView }) => isNewer(round, context.round),
    hasLastMinute: ({ context: { round, toast } }) =>
      toast.isDue && toast.expect === round?.expect && leftToClose(round) > TOAST_UNTIL_MS,
    isThisRound: ({ context, event }) => event.type === "drawn" && event.result.expect === context.round?.expect,
    isLost: (_, { error }: { error: unknown }) => (error as { lost?: boolean }).lost === true,
  },
  actions: {
    hear: assign(({ context }, { round }: { round: RoundView }) => ({
      round,
      toast: toastAfter(context.toast, round),
    })),
    tellMissed: enqueueActions(({ context: { round, result }, enqueue }, { next }: { next: RoundView }) => {
      const isOver = round !== null && round.expect !== null && round.expect !== next.expect;
      if (isOver && round.expect !== result?.expect) enqueue.emit({ type: "missed" });
    }),
    keepResult: assign({
      result: ({ context: { result }, event }) =>
        event.type === "drawn" && event.result.expect >= (result?.expect ?? "") ? event.result : result,
    }),
    tellDrawn: enqueueActions(({ enqueue, event }) => {
      if (event.type === "drawn") enqueue.emit({ type: "drawn", result: event.result });
    }),
    toggle: assign(({ context, event }) => {
      if (event.type !== "toggle") return {};
      const cart = toggle(context.cart, event.option);
      const isFirst = context.cart.options.length === 0;
      return { cart, isPanelOpen: cart.options.length > 0 && (isFirst || context.isPanelOpen) };
    }),
    refuse: emit((_, { problem }: { problem: CartProblem | "closed" }) => ({ type: "refused" as const, problem })),
  },
});
