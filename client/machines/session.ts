import { assign, emit, fromPromise, setup } from "xstate";

/** How often it is asked whether the session still runs, and how long its end is read before login opens. */
export const CHECK_EVERY_MS = 3_000;
export const READ_FOR_MS = 1_500;

const notProvided = () => Promise.reject(new Error("provide this actor"));

interface Context {
  /** Whether the device remembers a session. */
  isMember: boolean;
  /** The site wants sessions to be checked. */
  checks: boolean;
  /** The socket is there and would tell. */
  isConnected: boolean;
}

/**
 * Who is logged in, from the first look at the device to the end of the session.
 *
 *   guest ── entered ─▶ member ┬─ logout, refused ──────────────▶ left ─▶ guest
 *                              └─ kicked, offline ─▶ told ─ 1.5 s ─▶ left
 *                                                     └─ entered ─▶ member
 *
 * While a member it checks at the start and every 3 s that the socket is away.
 * It owns no storage, no screen and no wall clock: `say` and `left` are emitted
 * for whoever shows, clears and opens login.
 */
export const sessionMachine = setup({
  types: {
    context: {} as Context,
    input: {} as { isMember: boolean },
    events: {} as
      | { type: "entered" }
      | { type: "logout" }
      | { type: "refused"; msg: string }
      | { type: "kicked"; msg: string }
      | { type: "offline"; msg: string }
      | { type: "connection"; up: boolean }
      | { type: "site"; checks: boolean },
    emitted: {} as { type: "say"; msg: string } | { type: "left"; why: "logout" | "ended" },
  },
  actors: { checkSession: fromPromise<unknown>(notProvided) },
  delays: { nextCheck: CHECK_EVERY_MS, whenRead: READ_FOR_MS },
  guards: { wantsCheck: ({ context }) => context.checks && !context.isConnected },
  actions: {
    say: emit((_, { msg }: { msg: string }) => ({ type: "say" as const, msg })),
    leave: emit((_, { why }: { why: "logout" | "ended" }) => ({ type: "left" as const, why })),
  },
}).createMachine({
  context: ({ input }) => ({ isMember: input.isMember, checks: false, isConnected: false }),
  initial: "starting",
  on: {
    connection: { actions: assign({ isConnected: ({ event }) => event.up }) },
    site: { actions: assign({ checks: ({ event }) => event.checks }) },
  },
  states: {
    starting: {
      always: [{ guard: ({ context }) => context.isMember, target: "member" }, { target: "guest" }],
    },
    guest: { on: { entered: "member" } },
    member: {
      initial: "unchecked",
      on: {
        logout: { target: "guest", actions: { type: "leave", params: { why: "logout" } } },
        refused: {
          target: "guest",
          actions: [
            { type: "say", params: ({ event }) => ({ msg: event.msg }) },
            { type: "leave", params: { why: "ended" } },
          ],
        },
        kicked: { target: "told", actions: { type: "say", params: ({ event }) => ({ msg: event.msg }) } },
        offline: { target: "told", actions: { type: "say", params: ({ event }) => ({ msg: event.msg }) } },
      },
      states: {
        unchecked: { always: { guard: ({ context }) => context.checks, target: "checking" } },
        checking: { invoke: { src: "checkSession", onDone: "waiting", onError: "waiting" } },
        waiting: {
          after: {
            nextCheck: [
              { guard: "wantsCheck", target: "checking" },
              { target: "waiting", reenter: true },
            ],
          },
        },
      },
    },
    told: {
      on: {
        // Another tab may be quicker, and its new session is not to be forgotten here.
        entered: "member",
        logout: { target: "guest", actions: { type: "leave", params: { why: "ended" } } },
      },
      after: { whenRead: { target: "guest", actions: { type: "leave", params: { why: "ended" } } } },
    },
  },
});
