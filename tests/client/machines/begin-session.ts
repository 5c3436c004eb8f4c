import { createActor, fromPromise, SimulatedClock } from "xstate";
import { CHECK_EVERY_MS, sessionMachine } from "#client/machines/session.ts";

/** Lets settled promises run their callbacks. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A session as it begins on a device, with a clock that the test moves. */
export function beginSession({
  isMember = true,
  check = (): Promise<unknown> => Promise.resolve(),
  whyLocked = (): Promise<string> => Promise.reject(new Error("no answer")),
} = {}) {
  const clock = new SimulatedClock();
  const emitted: unknown[] = [];
  let asked = 0;
  const checkSession = fromPromise<unknown>(() => {
    asked++;
    return check();
  });
  const askWhyLocked = fromPromise<string>(whyLocked);
  const machine = sessionMachine.provide({ actors: { checkSession, askWhyLocked } });
  const actor = createActor(machine, { input: { isMember }, clock });
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return {
    send: actor.send,
    clock,
    emitted,
    asked: () => asked,
    isMember: () => actor.getSnapshot().matches("member"),
    isGuest: () => actor.getSnapshot().matches("guest"),
    /** Lets so many check intervals pass, one after the other. */
    async pass(times: number) {
      for (let i = 0; i < times; i++) {
        clock.increment(CHECK_EVERY_MS);
        await settle();
      }
    },
  };
}
