import { assign, emit, not, stateIn } from "xstate";
import { bettingParts, NO_BET, PATIENCE_MS } from "./betting-parts.ts";
import { EMPTY_CART, problemOf, typedStake } from "./cart.ts";
import { leftToClose } from "./round-view.ts";

/**
 * One member watching one game.
 *
 *   round:  loading ─▶ deciding ─▶ open ── time is up ─▶ drawing ─ drawn ─▶ shown ─▶ …
 *              │  ▲        └─▶ paused      │                └─ no push, in a pause too ─▶ loading
 *              └──┴─ failed                └─ every word of the server ─▶ deciding
 *   bet:    begun ─▶ idle ── place ─▶ placing ─ answered ─▶ idle
 *             └─ with a ticket ───────▶ ┘ └─ no answer ─▶ unsure ─ 2 s ─▶ placing, with the same key
 *
 * A round whose end was found out by asking, since no push told of it, is `missed`: what else it
 * changed is to be asked for. `retry` is for when the line is back: what waits asks at once.
 * It owns no fetch, no socket, no randomness and no wall clock: the server says
 * how much time is left, the screen hands in the rest.
 */
export const bettingRound = bettingParts.createMachine({
  context: ({ input }) => ({
    round: null,
    result: null,
    toast: { expect: null, isDue: false },
    ...(input.bet ?? NO_BET),
    newKey: input.newKey,
    patienceMs: input.patienceMs ?? PATIENCE_MS,
  }),
  type: "parallel",
  states: {
    round: {
      initial: "loading",
      on: {
        heard: {
          guard: { type: "isNews", params: ({ event }) => ({ round: event.round }) },
          target: ".deciding",
          actions: { type: "hear", params: ({ event }) => ({ round: event.round }) },
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
                guard: { type: "isNews", params: ({ event }) => ({ round: event.output }) },
                target: "deciding",
                actions: [
                  { type: "tellMissed", params: ({ event }) => ({ next: event.output }) },
                  { type: "hear", params: ({ event }) => ({ round: event.output }) },
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
          after: {
            timeIsUp: "drawing",
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
              actions: assign({ cart: ({ context, event }) => ({ ...context.cart, stake: typedStake(event.typed) }) }),
            },
            clear: {
              actions: assign({
                cart: ({ context }) => ({ ...EMPTY_CART, stake: context.cart.stake }),
                isPanelOpen: false,
              }),
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
                  ticket: ({ context }) => ({
                    expect: context.round!.expect!,
                    cart: context.cart,
                    key: context.newKey(),
                  }),
                }),
              },
            ],
          },
        },
        placing: {
          on: { retry: { target: "placing", reenter: true } },
          invoke: {
            src: "placeBet",
            input: ({ context }) => context.ticket!,
            onDone: {
              target: "idle",
              actions: [assign(NO_BET), emit(({ event }) => ({ type: "placed" as const, placing: event.output }))],
            },
            onError: [
              {
                guard: { type: "isLost", params: ({ event }) => ({ error: event.error }) },
                target: "unsure",
              },
              {
                target: "idle",
                actions: [
                  assign({ ticket: null }),
                  emit(({ event }) => ({ type: "failed" as const, error: event.error })),
                ],
              },
            ],
          },
        },
        unsure: { after: { askAgain: "placing" }, on: { retry: "placing" } },
      },
    },
  },
});
