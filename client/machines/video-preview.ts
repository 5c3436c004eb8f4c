import { assign, emit, setup } from "xstate";

/** Milliseconds between checks for the end of the free part, as the specification says. */
export const CHECK_EVERY_MS = 2_000;
/** Milliseconds between the end of a video and the start of the next. */
export const NEXT_AFTER_MS = 5_000;

interface Context {
  /** Length of the free part, in seconds. */
  freeS: number;
  /** Length of the whole video, in seconds. */
  durationS: number;
  isMember: boolean;
  /** The last reported playback position, in seconds. */
  positionS: number;
}

const isCut = ({ isMember, freeS, durationS }: Context) => !isMember && freeS < durationS;
const isBeyond = (context: Context, seconds: number) => isCut(context) && seconds >= context.freeS;

/** Where playback halts and later resumes: never beyond the free part. */
const stopOf = ({ freeS, positionS }: Context) => Math.min(freeS, positionS);

/**
 * How much of a video may be watched, and what follows it.
 *
 *   watching ── each 2 s, at a jump, at the end of what was sent: the free part is over ─▶ offered ── dismiss ─▶ declined
 *     │   ▲                                                                                 │ ▲                    │
 *     │   ├──────────── became a member: resumes from there ◀───────────────────────────────┴─│────────────────────┤
 *     │   └──────────── play or jump: in the free part ◀── or beyond it ──────────────────────┘◀───────────────────┘
 *     └─ the video's end ─▶ ended ── 5 s, next ─▶ left
 *          play, jump: back ◀──┴── stay ─▶ over
 *   anywhere: open, another video ─▶ watching
 *
 * It has no player, screen or clock of its own. Playback speed needs no case: only the position counts. It protects
 * nothing: the server does not send what may not be watched (server/domains/video/gate.ts).
 */
export const videoPreview = setup({
  types: {
    context: {} as Context,
    input: {} as Omit<Context, "positionS">,
    events: {} as
      | { type: "open"; freeS: number; durationS: number; isMember: boolean }
      | { type: "move"; seconds: number }
      | { type: "jump"; seconds: number }
      | { type: "play" }
      | { type: "end" }
      | { type: "accountStatus"; isMember: boolean }
      | { type: "dismiss" }
      | { type: "stay" }
      | { type: "next" },
    emitted: {} as { type: "halt"; atS: number } | { type: "goOn"; atS: number } | { type: "leave" },
  },
  delays: { nextCheck: CHECK_EVERY_MS, next: NEXT_AFTER_MS },
  actions: {
    hear: assign(({ event }) => ("seconds" in event ? { positionS: event.seconds } : {})),
    begin: assign(({ event }) => {
      if (event.type !== "open") return {};
      const { freeS, durationS, isMember } = event;
      return { freeS, durationS, isMember, positionS: 0 };
    }),
    know: assign(({ event }) => (event.type === "accountStatus" ? { isMember: event.isMember } : {})),
    halt: emit(({ context }) => ({ type: "halt" as const, atS: stopOf(context) })),
    goOn: emit(({ context }) => ({ type: "goOn" as const, atS: stopOf(context) })),
    leave: emit({ type: "leave" as const }),
  },
  guards: {
    isOver: ({ context }) => isBeyond(context, context.positionS),
    leadsBeyond: ({ context, event }) => "seconds" in event && isBeyond(context, event.seconds),
    isCut: ({ context }) => isCut(context),
    becomesMember: ({ event }) => event.type === "accountStatus" && event.isMember,
  },
}).createMachine({
  context: ({ input }) => ({ ...input, positionS: 0 }),
  initial: "watching",
  on: {
    open: { target: ".watching", actions: "begin", reenter: true },
    move: { actions: "hear" },
    jump: { actions: "hear" },
    accountStatus: { actions: "know" },
  },
  states: {
    watching: {
      id: "watching",
      on: {
        jump: [{ guard: "leadsBeyond", target: "stopped", actions: "hear" }, { actions: "hear" }],
        end: [{ guard: "isCut", target: "stopped" }, { target: "ended" }],
      },
      after: {
        nextCheck: [
          { guard: "isOver", target: "stopped" },
          { target: "watching", reenter: true },
        ],
      },
    },
    stopped: {
      on: { accountStatus: { guard: "becomesMember", target: "watching", actions: ["know", "goOn"] } },
      initial: "offered",
      states: {
        offered: {
          entry: "halt",
          on: { dismiss: "declined", play: { target: "offered", reenter: true } },
        },
        declined: {
          on: {
            play: [{ guard: "isOver", target: "offered" }, { target: "#watching" }],
            jump: [
              { guard: "leadsBeyond", target: "offered", actions: "hear" },
              { target: "#watching", actions: "hear" },
            ],
          },
        },
      },
    },
    ended: {
      on: {
        play: "watching",
        jump: { target: "watching", actions: "hear" },
        stay: "over",
        next: { target: "left", actions: "leave" },
      },
      after: { next: { target: "left", actions: "leave" } },
    },
    over: { on: { play: "watching", jump: { target: "watching", actions: "hear" } } },
    // Without a next video, this one can be played again.
    left: { on: { play: "watching", jump: { target: "watching", actions: "hear" } } },
  },
});
