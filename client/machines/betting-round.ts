import { assign, emit, not, stateIn, enqueueActions, fromPromise, setup } from "xstate";
import {
  EMPTY_CART,
  ordersOf,
  problemOf,
  staked,
  toggle,
  without,
  withStakes,
  type Cart,
  type CartProblem,
} from "./cart.ts";
import { isLost } from "./lost.ts";
import { leftToClose, isNewer, leftToDraw, type RoundView } from "./round-view.ts";
import type { Result } from "#shared/contract/events.ts";
import { fromDecimal, toDecimal, type Money } from "#shared/money.ts";

const notProvided = () => Promise.reject(new Error("provide this actor"));

/** The specification's last-minute toast: shown at 59 s left, and not at all from 58 s on. */
const TOAST_AT_MS = 59_000;
const TOAST_UNTIL_MS = 58_000;
/** How long to wait for a push after the draw, in ms; the screen adds jitter. */
export const PATIENCE_MS = 2_500;
export const ASK_AGAIN_MS = 2_000;
/** Watchers get a push every 10 s; without one the machine fetches, in case the pause is over. */
export const ASK_IN_PAUSE_MS = 12_000;

/** One order in flight. Its idempotency key stays until the server answers. */
export interface Ticket {
  expect: string;
  /** Its options, all with one stake. */
  cart: Cart;
  key: string;
  /** Where options have stakes of their own: the whole cart, the orders that follow, and what was taken before. */
  series?: { whole: Cart; rest: readonly Cart[]; taken: Placing | null };
  /** What the board said of the draw's beacon. A tab may keep a ticket of an older app, which has none. */
  beacon?: RoundView["beacon"];
}

/** The bet in preparation. It outlives the screen, with any unanswered ticket. */
export interface Bet {
  cart: Cart;
  isPanelOpen: boolean;
  ticket: Ticket | null;
  /** The last bet that was taken, to be repeated. */
  last?: Cart;
}

const NO_BET = {
  cart: EMPTY_CART,
  isPanelOpen: false,
  ticket: null,
  carried: null,
  undo: null,
} satisfies Bet & { carried: null; undo: null };

/** The latest round seen before its last minute, and whether its toast is still due. */
interface Toast {
  expect: string | null;
  isDue: boolean;
}

interface BettingContext extends Bet {
  round: RoundView | null;
  result: Result | null;
  toast: Toast;
  /** The round that closed before the cart was placed, until the cart changes. */
  carried: string | null;
  /** The cart before its last change, and what was changed. */
  undo: { cart: Cart; of: string } | null;
  /** Whether the ticket was sent before, and no answer came. */
  isAgain: boolean;
  newKey: () => string;
  patienceMs: number;
}

export interface Placing {
  expect: string;
  total: string;
  balance: string;
  /** Whether the house's receipt says what was shown; unknown where it could not be judged yet, missing where there is none. */
  receipt: "right" | "wrong" | "missing" | "unknown";
}

/** A changed cart. What is typed into one field is one change. */
function changed({ cart, undo }: BettingContext, to: Cart, of: string): Partial<BettingContext> {
  const isTyping = undo?.of === of && of.startsWith("stake");
  return { cart: to, carried: null, undo: isTyping ? undo : { cart, of } };
}

/** What was taken so far, with one more order. */
const together = (taken: Placing | null, { total, receipt, ...newest }: Placing): Placing => {
  const receipts = [taken?.receipt ?? "right", receipt] as const;
  const worst = (["wrong", "missing", "unknown"] as const).find((one) => receipts.includes(one)) ?? "right";
  return { ...newest, total: toDecimal(fromDecimal(taken?.total ?? "0.00") + fromDecimal(total)), receipt: worst };
};

const toastAfter = (toast: Toast, round: RoundView): Toast =>
  toast.expect !== round.expect && leftToClose(round) > TOAST_AT_MS ? { expect: round.expect, isDue: true } : toast;

/** Guards, delays and actions; the states below name them. */
const parts = setup({
  types: {
    context: {} as BettingContext,
    input: {} as { newKey: () => string; patienceMs?: number; bet?: Bet | null },
    events: {} as
      | { type: "updated"; round: RoundView }
      | { type: "drawn"; result: Result }
      | { type: "retry" }
      | { type: "toggle"; option: string }
      | { type: "stake"; typed: string; option?: string }
      | { type: "each"; on: boolean }
      | { type: "undo" }
      | { type: "panel"; open: boolean }
      | { type: "clear" }
      | { type: "repeat"; cart: Cart }
      | { type: "place"; balance: Money },
    emitted: {} as
      | { type: "lastMinute" }
      | { type: "placed"; placing: Placing }
      | { type: "refused"; problem: CartProblem | "closed" }
      | { type: "failed"; error: unknown; cart: Cart; taken: Placing | null }
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
    isUpdate: ({ context }, { round }: { round: RoundView }) => isNewer(round, context.round),
    isEnd: ({ context }, { round }: { round: RoundView }) =>
      isNewer(round, context.round) && (round.expect !== context.round?.expect || leftToClose(round) <= 0),
    hasLastMinute: ({ context: { round, toast } }) =>
      toast.isDue && toast.expect === round?.expect && leftToClose(round) > TOAST_UNTIL_MS,
    isThisRound: ({ context, event }) => event.type === "drawn" && event.result.expect === context.round?.expect,
    isLost: ({ context: { isAgain } }, { error }: { error: unknown }) => isLost(error, isAgain),
  },
  actions: {
    setRound: assign(({ context }, { round }: { round: RoundView }) => ({
      round,
      toast: toastAfter(context.toast, round),
    })),
    carry: assign({
      carried: ({ context: { cart, ticket, round, carried } }) =>
        cart.options.length > 0 && ticket === null ? round!.expect : carried,
    }),
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
      return {
        ...changed(context, cart, "options"),
        isPanelOpen: cart.options.length > 0 && (isFirst || context.isPanelOpen),
      };
    }),
    refuse: emit((_, { problem }: { problem: CartProblem | "closed" }) => ({ type: "refused" as const, problem })),
  },
});

/**
 * One member watching one game.
 *
 *   round:  loading ─▶ deciding ─▶ open ── time is up ─▶ drawing ─ drawn ─▶ shown ─▶ …
 *              │  ▲        └─▶ paused      │                └─ no push, in a pause too ─▶ loading
 *              └──┴─ failed                └─ every server message ─▶ deciding
 *   bet:    begun ─▶ idle ── place ─▶ placing ─ answered ─▶ idle
 *             └─ with a ticket ───────▶ ┘ └─ no answer ─▶ unsure ─ 2 s ─▶ placing, with the same key
 *
 * When a fetch, not a push, reveals that a round is over, the machine emits `missed`: the screen refetches
 * what the round changed. `retry` follows a reconnect: waiting requests are sent at once.
 * Options with stakes of their own are several orders, one after the other, each with its own key. One that is refused
 * ends the series: what was taken stands, and the cart keeps the rest.
 * The machine has no fetch, socket, randomness or wall clock of its own. The server says how much time is
 * left; the screen provides the rest.
 */
export const bettingRound = parts.createMachine({
  context: ({ input }) => ({
    round: null,
    result: null,
    toast: { expect: null, isDue: false },
    ...NO_BET,
    ...input.bet,
    isAgain: input.bet?.ticket != null,
    newKey: input.newKey,
    patienceMs: input.patienceMs ?? PATIENCE_MS,
  }),
  type: "parallel",
  states: {
    round: {
      initial: "loading",
      on: {
        updated: {
          guard: { type: "isUpdate", params: ({ event }) => ({ round: event.round }) },
          target: ".deciding",
          actions: { type: "setRound", params: ({ event }) => ({ round: event.round }) },
        },
        drawn: [
          { guard: "isThisRound", target: ".shown", actions: ["keepResult", "tellDrawn"] },
          { actions: ["keepResult", "tellDrawn"] },
        ],
      },
      states: {
        loading: {
          invoke: {
            src: "loadRound",
            onDone: [
              {
                guard: { type: "isUpdate", params: ({ event }) => ({ round: event.output }) },
                target: "deciding",
                actions: [
                  { type: "tellMissed", params: ({ event }) => ({ next: event.output }) },
                  { type: "setRound", params: ({ event }) => ({ round: event.output }) },
                ],
              },
              { target: "failed" },
            ],
            onError: "failed",
          },
        },
        failed: { after: { askAgain: "loading" }, on: { retry: "loading" } },
        deciding: {
          always: [
            { guard: ({ context }) => context.round?.state === "paused", target: "paused" },
            { guard: ({ context }) => leftToClose(context.round) > 0, target: "open" },
            { target: "drawing" },
          ],
        },
        open: {
          // Any other message is of this round, which goes on.
          on: {
            updated: {
              guard: { type: "isEnd", params: ({ event }) => ({ round: event.round }) },
              target: "deciding",
              actions: ["carry", { type: "setRound", params: ({ event }) => ({ round: event.round }) }],
            },
            drawn: { guard: "isThisRound", target: "shown", actions: ["carry", "keepResult", "tellDrawn"] },
          },
          after: {
            timeIsUp: { target: "drawing", actions: "carry" },
            lastMinute: {
              guard: "hasLastMinute",
              actions: [
                assign({ toast: ({ context }) => ({ ...context.toast, isDue: false }) }),
                emit({ type: "lastMinute" }),
              ],
            },
          },
        },
        drawing: { after: { drawIsLate: "loading" } },
        shown: { after: { openingIsLate: "loading" } },
        paused: { after: { askInPause: "loading" } },
      },
    },
    bet: {
      initial: "begun",
      on: {
        panel: { actions: assign({ isPanelOpen: ({ event }) => event.open }) },
      },
      states: {
        begun: { always: [{ guard: ({ context }) => context.ticket !== null, target: "placing" }, { target: "idle" }] },
        idle: {
          on: {
            toggle: { actions: "toggle" },
            stake: {
              actions: assign(({ context, event: { typed, option } }) =>
                changed(context, staked(context.cart, typed, option), `stake ${option ?? ""}`),
              ),
            },
            each: {
              actions: assign(({ context, event }) => changed(context, withStakes(context.cart, event.on), "each")),
            },
            repeat: {
              actions: assign(({ context, event: { cart } }) => ({
                ...changed(context, cart, "options"),
                isPanelOpen: true,
              })),
            },
            clear: {
              actions: assign(({ context }) => ({
                ...changed(context, { ...EMPTY_CART, stake: context.cart.stake }, "options"),
                isPanelOpen: false,
              })),
            },
            undo: {
              actions: assign(({ context: { undo } }) =>
                undo ? { cart: undo.cart, carried: null, undo: null, isPanelOpen: undo.cart.options.length > 0 } : {},
              ),
            },
            place: [
              {
                guard: ({ context, event }) => problemOf(context.cart, event.balance) !== null,
                actions: {
                  type: "refuse",
                  params: ({ context, event }) => ({ problem: problemOf(context.cart, event.balance)! }),
                },
              },
              {
                guard: not(stateIn({ round: "open" })),
                actions: { type: "refuse", params: { problem: "closed" } },
              },
              {
                target: "placing",
                actions: assign({
                  ticket: ({ context }) => {
                    const [cart, ...rest] = ordersOf(context.cart);
                    return {
                      expect: context.round!.expect!,
                      cart: cart!,
                      key: context.newKey(),
                      beacon: context.round!.beacon,
                      ...(rest.length > 0 && { series: { whole: context.cart, rest, taken: null } }),
                    };
                  },
                  isAgain: false,
                  undo: null,
                }),
              },
            ],
          },
        },
        placing: {
          on: { retry: { target: "placing", reenter: true, actions: assign({ isAgain: true }) } },
          invoke: {
            src: "placeBet",
            input: ({ context }) => context.ticket!,
            onDone: [
              {
                guard: ({ context }) => (context.ticket!.series?.rest.length ?? 0) > 0,
                target: "placing",
                reenter: true,
                actions: assign(({ context: { cart, ticket, newKey }, event }) => {
                  const { series, ...placed } = ticket!;
                  const [next, ...rest] = series!.rest;
                  const taken = together(series!.taken, event.output);
                  return {
                    cart: without(cart, placed.cart.options),
                    ticket: { ...placed, cart: next!, key: newKey(), series: { ...series!, rest, taken } },
                    isAgain: false,
                  };
                }),
              },
              {
                target: "idle",
                actions: [
                  emit(({ context, event }) => ({
                    type: "placed" as const,
                    placing: together(context.ticket!.series?.taken ?? null, event.output),
                  })),
                  assign(({ context: { ticket } }) => ({ ...NO_BET, last: ticket!.series?.whole ?? ticket!.cart })),
                ],
              },
            ],
            onError: [
              {
                guard: { type: "isLost", params: ({ event }) => ({ error: event.error }) },
                target: "unsure",
              },
              {
                target: "idle",
                actions: [
                  emit(({ context, event }) => ({
                    type: "failed" as const,
                    error: event.error,
                    cart: context.ticket!.cart,
                    taken: context.ticket!.series?.taken ?? null,
                  })),
                  assign({ ticket: null }),
                ],
              },
            ],
          },
        },
        unsure: { entry: assign({ isAgain: true }), after: { askAgain: "placing" }, on: { retry: "placing" } },
      },
    },
  },
});
