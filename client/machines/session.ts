import { assign, emit, fromPromise, setup } from "xstate";

/** Milliseconds between session checks, and from the end-of-session notice to the login screen. */
export const CHECK_EVERY_MS = 3_000;
export const READ_FOR_MS = 1_500;

const notProvided = () => Promise.reject(new Error("provide this actor"));

interface Context {
  /** The device has a stored session. */
  isMember: boolean;
  /** The site requires session checks. */
  checks: boolean;
  /** The socket is connected, so the server can push the end of the session. */
  isConnected: boolean;
  /** Why the account is locked, as far as it is known. */
  why: string;
}

/** Whoever was locked out takes along why. */
export type Left = { why: "logout" | "ended" } | { why: "locked"; msg: string };

/**
 * The login state, from app start to the end of the session.
 *
 *   guest ── entered ─▶ member ┬─ logout, refused ──────────────▶ left ─▶ guest
 *                              ├─ kicked ──▶ ending ─ 1.5 s ─▶ left
 *                              └─ offline ─▶ locked ─ 1.5 s, and the reason ─▶ left
 *                                            ending, locked ─ entered ─▶ member
 *
 * A member's session is checked at the start, and every 3 s while the socket is down.
 * The machine has no storage, screen or wall clock of its own. It emits `say` and `left`;
 * the caller shows the message, clears the session and opens login.
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
    emitted: {} as { type: "say"; msg: string } | ({ type: "left" } & Left),
  },
  actors: { checkSession: fromPromise<unknown>(notProvided), askWhyLocked: fromPromise<string>(notProvided) },
  delays: { nextCheck: CHECK_EVERY_MS, whenRead: READ_FOR_MS },
  guards: { wantsCheck: ({ context }) => context.checks && !context.isConnected },
  actions: {
    say: emit((_, { msg }: { msg: string }) => ({ type: "say" as const, msg })),
    leave: emit((_, { why }: { why: "logout" | "ended" }) => ({ type: "left" as const, why })),
    leaveLocked: emit(({ context }) => ({ type: "left" as const, why: "locked" as const, msg: context.why })),
  },
}).createMachine({
  context: ({ input }) => ({ isMember: input.isMember, checks: false, isConnected: false, why: "" }),
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
        kicked: { target: "ending", actions: { type: "say", params: ({ event }) => ({ msg: event.msg }) } },
        offline: {
          target: "locked",
          actions: [
            { type: "say", params: ({ event }) => ({ msg: event.msg }) },
            assign({ why: ({ event }) => event.msg }),
          ],
        },
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
    ending: {
      on: {
        // Another tab may log in first; this one must not clear the new session.
        entered: "member",
        logout: { target: "guest", actions: { type: "leave", params: { why: "ended" } } },
      },
      after: { whenRead: { target: "guest", actions: { type: "leave", params: { why: "ended" } } } },
    },
    // It ends once what is said could be read, and it is known why, or that nobody answers.
    locked: {
      type: "parallel",
      states: {
        said: {
          initial: "new",
          states: { new: { after: { whenRead: "read" } }, read: { type: "final" } },
        },
        reason: {
          initial: "asked",
          states: {
            asked: {
              invoke: {
                src: "askWhyLocked",
                onDone: { target: "known", actions: assign({ why: ({ event }) => event.output }) },
                onError: "known",
              },
            },
            known: { type: "final" },
          },
        },
      },
      on: { entered: "member", logout: { target: "guest", actions: "leaveLocked" } },
      onDone: { target: "guest", actions: "leaveLocked" },
    },
  },
});
