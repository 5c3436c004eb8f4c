import type { Langs } from "#shared/locales.ts";
import { assign, emit, fromPromise, setup } from "xstate";
import type { Prize } from "#shared/contract/wheel.ts";
import { isLost } from "./lost.ts";

/** The server's reply to a spin. */
export interface Won {
  id: string;
  title: string;
  image: string;
  /** Sanitised HTML. */
  msgmemo: string;
  /** Which spin of its pair it was, and the pair's commit. */
  nonce: number;
  commit: string;
  spins_left: number;
  langs?: Langs | undefined;
}

type SpinEvent = { type: "spin"; wheel: readonly Prize[] } & Omit<Begun, "key">;

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
  /** The pair that it is drawn from; null for a spin from before spins named one. */
  commit: string | null;
  /** The words that begin this pair; null if it is in use. */
  words: string | null;
  /** The hash of the table that the words are for; null without words. */
  table: string | null;
}

/** On these refusals what is shown was out of date: it is fetched again, and the next spin names what is then shown. */
const STALE: ReadonlySet<unknown> = new Set([
  "commit.stale",
  "commit.untold",
  "prizes.changed",
  "prizes.untold",
  "spins.none",
  "spins.price",
]);

interface SpinContext extends Omit<Begun, "key"> {
  /** Idempotency key of the unfinished spin: a retry with it is the same spin. */
  key: string | null;
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

const asked = ({ wheel, price, commit, words, table }: SpinEvent) => ({ wheel, price, commit, words, table });

/** Whether the wheel visibly turns: motion is allowed and the prize is on it. */
const isMoving = ({ isStill, wheel, won }: SpinContext) => !isStill && wheel.some(({ id }) => id === won?.id);

/**
 * One member's wheel; one spin at a time.
 *
 *   begun ─▶ ready ── spin ─▶ asking ─ answered ─▶ turning ─ 5 s ─▶ resting ─ 0.5 s ─▶ shown ─ close ─▶ ready
 *     └─ with a key ──────────▶ ┘ │ └─ no answer ─▶ unsure ─ 2 s, or a reconnect ─▶ asking, with the same key
 *                                 ├─ refused: locked until the screen is left
 *                                 └─ refused for what was out of date ─▶ ready, with the reason
 *
 * It has no fetch, randomness or clock of its own. The server decides the prize before anything turns. A prize that is
 * missing from the drawn wheel shows at once: the wheel never stops at another prize.
 */
export const wheelSpin = setup({
  types: {
    context: {} as SpinContext,
    input: {} as { newKey: () => string; wheel: readonly Prize[]; begun?: Begun | null; isStill?: boolean },
    events: {} as SpinEvent | { type: "retry" } | { type: "close" },
    emitted: {} as { type: "refused"; error: unknown } | { type: "answered" } | { type: "stopped"; won: Won },
  },
  actors: {
    spin: fromPromise<Won, Begun>(() => Promise.reject(new Error("provide this actor"))),
  },
  actions: {
    begin: assign(({ context, event }) =>
      event.type === "spin" ? { ...asked(event), key: context.newKey(), refusal: null, isAgain: false } : {},
    ),
    refuse: assign({ key: null, refusal: (_, { error }: { error: unknown }) => error }),
    tellRefusal: emit(({ context }) => ({ type: "refused" as const, error: context.refusal })),
  },
  delays: {
    turn: ({ context }) => (isMoving(context) ? TURN_MS : 0),
    rest: ({ context }) => (isMoving(context) ? REST_MS : 0),
    askAgain: ASK_AGAIN_MS,
  },
  guards: {
    hasKey: ({ context }) => context.key !== null,
    isStale: (_, { error }: { error: unknown }) => STALE.has((error as { reason?: string }).reason),
    isLost: ({ context }, { error }: { error: unknown }) => isLost(error, context.isAgain),
  },
}).createMachine({
  context: ({ input: { newKey, wheel, begun, isStill = false } }) => ({
    key: begun?.key ?? null,
    price: begun?.price ?? FREE,
    commit: begun?.commit ?? null,
    words: begun?.words ?? null,
    table: begun?.table ?? null,
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
      on: { retry: { target: "asking", reenter: true, actions: assign({ isAgain: true }) } },
      invoke: {
        src: "spin",
        input: ({ context: { key, price, commit, words, table } }) => ({ key: key!, price, commit, words, table }),
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
            guard: { type: "isStale", params: ({ event }) => ({ error: event.error }) },
            target: "ready",
            actions: [{ type: "refuse", params: ({ event }) => ({ error: event.error }) }, "tellRefusal"],
          },
          {
            target: "refused",
            actions: [{ type: "refuse", params: ({ event }) => ({ error: event.error }) }, "tellRefusal"],
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
