import { assign, emit, fromPromise, setup } from "xstate";
import type { Prize } from "#shared/contract/wheel.ts";

/** The server's reply to a spin. */
export interface Won {
  id: string;
  title: string;
  image: string;
  /** Sanitised HTML. */
  msgmemo: string;
  spins_left: number;
}

/** The specification's timing: five turns in five seconds, then the prize half a second later. */
export const TURN_MS = 5_000;
export const REST_MS = 500;
export const ASK_AGAIN_MS = 2_000;

/** The price of a free spin. */
export const FREE = "0.00";

/** A spin request; every retry sends the same one. */
export interface Begun {
  key: string;
  price: string;
}

/** On a retry, this status says nothing about the spin itself. */
const TOO_MANY_REQUESTS = 429;

interface SpinContext {
  /** Idempotency key of the unfinished spin: a retry with it is the same spin. */
  key: string | null;
  /** The price shown to the member, a decimal. */
  price: string;
  won: Won | null;
  /** The error of the last refused spin. */
  refusal: unknown;
  /** Number of spins since the screen opened. */
  turns: number;
  /** The prizes when the spin began; they stay until the prize has been seen. */
  wheel: readonly Prize[];
  /** This is a retry: the server may have made the spin already. */
  isAgain: boolean;
  newKey: () => string;
  /** Motion is reduced: the result shows at once. */
  isStill: boolean;
}

/** Whether the wheel visibly turns: motion is allowed and the prize is on it. */
const isMoving = ({ isStill, wheel, won }: SpinContext) => !isStill && wheel.some(({ id }) => id === won?.id);

/**
 * One member's wheel; one spin at a time.
 *
 *   begun ─▶ ready ── spin ─▶ asking ─ answered ─▶ turning ─ 5 s ─▶ resting ─ 0.5 s ─▶ shown ─ close ─▶ ready
 *     └─ with a key ──────────▶ ┘ │ └─ no answer ─▶ unsure ─ 2 s, or a reconnect ─▶ asking, with the same key
 *                                 └─ refused: locked until the screen is left
 *
 * It has no fetch, randomness or clock of its own. The server decides the prize before anything turns. A prize that is
 * missing from the drawn wheel shows at once: the wheel never stops at another prize.
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
