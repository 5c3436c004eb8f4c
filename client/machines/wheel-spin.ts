import { assign, emit, fromPromise, setup } from "xstate";
import type { Prize } from "#shared/contract/wheel.ts";

/** What the server answered a spin with. */
export interface Won {
  id: string;
  title: string;
  image: string;
  /** Sanitised HTML. */
  msgmemo: string;
  spins_left: number;
}

/** The specification's wheel: five turns in five seconds, and the prize half a second later. */
export const TURN_MS = 5_000;
export const REST_MS = 500;
export const ASK_AGAIN_MS = 2_000;

/** A spin that costs nothing. */
export const FREE = "0.00";

/** A spin as it is asked for, each time alike. */
export interface Begun {
  key: string;
  price: string;
}

/** An answer to a repeated question that says nothing of the spin itself. */
const TOO_MANY_REQUESTS = 429;

export interface SpinContext {
  /** Of the spin that has not been shown to its end: asked again with it, it is the same spin. */
  key: string | null;
  /** What it was said to cost, a decimal. */
  price: string;
  won: Won | null;
  /** Why the last spin was refused. */
  refusal: unknown;
  /** How often the wheel has turned since the screen opened. */
  turns: number;
  /** The wheel as it stood when the spin began; it stays so until the prize has been seen. */
  wheel: readonly Prize[];
  /** The spin was begun before, and may have been made without its answer having come. */
  isAgain: boolean;
  newKey: () => string;
  /** Nothing moves: the result is shown at once. */
  isStill: boolean;
}

/** Whether there is anything to see turning. */
const isMoving = ({ isStill, wheel, won }: SpinContext) => !isStill && wheel.some(({ id }) => id === won?.id);

/**
 * The wheel as one member sees it; one spin at a time.
 *
 *   begun ─▶ ready ── spin ─▶ asking ─ answered ─▶ turning ─ 5 s ─▶ resting ─ 0.5 s ─▶ shown ─ close ─▶ ready
 *     └─ with a key ──────────▶ ┘ │ └─ no answer ─▶ unsure ─ 2 s, or the line is back ─▶ asking, with the same key
 *                                 └─ refused: the lock stays set until the screen is left
 *
 * It owns no fetch, no randomness and no clock; what is won was decided by the server before anything turns. A prize
 * that is not on the wheel as it was drawn is shown at once: the wheel never stops at another.
 */
export const wheelSpin = setup({
  types: {
    context: {} as SpinContext,
    input: {} as { newKey: () => string; wheel: readonly Prize[]; begun?: Begun | null; isStill?: boolean },
    events: {} as { type: "spin"; wheel: readonly Prize[]; price: string } | { type: "retry" } | { type: "close" },
    emitted: {} as { type: "refused"; error: unknown } | { type: "answered" } | { type: "stopped"; won: Won },
  },
  actors: {
    spin: fromPromise<Won, Begun>(() => Promise.reject(new Error("provide this actor"))),
  },
  actions: {
    begin: assign(({ context, event }) =>
      event.type === "spin" ? { key: context.newKey(), wheel: event.wheel, price: event.price, isAgain: false } : {},
    ),
  },
  delays: {
    turn: ({ context }) => (isMoving(context) ? TURN_MS : 0),
    rest: ({ context }) => (isMoving(context) ? REST_MS : 0),
    askAgain: ASK_AGAIN_MS,
  },
  guards: {
    hasKey: ({ context }) => context.key !== null,
    isLost: ({ context }, { error }: { error: unknown }) => {
      const { lost, code } = error as { lost?: boolean; code?: number };
      return lost === true || (context.isAgain && code === TOO_MANY_REQUESTS);
    },
  },
}).createMachine({
  context: ({ input: { newKey, wheel, begun, isStill = false } }) => ({
    key: begun?.key ?? null,
    price: begun?.price ?? FREE,
    won: null,
    refusal: null,
    turns: 0,
    wheel,
    isAgain: Boolean(begun),
    newKey,
    isStill,
  }),
  initial: "begun",
  states: {
    begun: { always: [{ guard: "hasKey", target: "asking" }, { target: "ready" }] },
    ready: {
      on: { spin: { target: "asking", actions: "begin" } },
    },
    asking: {
      on: { retry: { target: "asking", reenter: true } },
      invoke: {
        src: "spin",
        input: ({ context: { key, price } }) => ({ key: key!, price }),
        onDone: {
          target: "turning",
          actions: [
            assign({ won: ({ event }) => event.output, turns: ({ context }) => context.turns + 1 }),
            emit({ type: "answered" }),
          ],
        },
        onError: [
          { guard: { type: "isLost", params: ({ event }) => ({ error: event.error }) }, target: "unsure" },
          {
            target: "refused",
            actions: [
              assign({ key: null, refusal: ({ event }) => event.error }),
              emit(({ event }) => ({ type: "refused" as const, error: event.error })),
            ],
          },
        ],
      },
    },
    unsure: { entry: assign({ isAgain: true }), after: { askAgain: "asking" }, on: { retry: "asking" } },
    turning: { after: { turn: "resting" } },
    resting: {
      after: {
        rest: { target: "shown", actions: emit(({ context }) => ({ type: "stopped" as const, won: context.won! })) },
      },
    },
    shown: { on: { close: { target: "ready", actions: assign({ key: null, won: null }) } } },
    refused: {},
  },
});
