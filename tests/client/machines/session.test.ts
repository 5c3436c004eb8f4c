import { describe, expect, it } from "vitest";
import { READ_FOR_MS } from "#client/machines/session.ts";
import { beginSession } from "./begin-session.ts";

const BYE = { type: "say", msg: "Bye" };
const ENDED = { type: "left", why: "ended" };

describe("who is logged in", () => {
  it("is nobody on a device that remembers no session, until somebody enters", () => {
    const session = beginSession({ isMember: false });
    expect(session.isGuest()).toBe(true);
    session.send({ type: "entered" });
    expect(session.isMember()).toBe(true);
    expect(session.told).toEqual([]);
  });

  it("is the member whose session the device remembers", () => {
    expect(beginSession().isMember()).toBe(true);
  });

  it("is nobody after logging out, at once, and without a word", () => {
    const session = beginSession();
    session.send({ type: "logout" });
    expect(session.isGuest()).toBe(true);
    expect(session.told).toEqual([{ type: "left", why: "logout" }]);
  });

  it("can enter again after logging out", () => {
    const session = beginSession();
    session.send({ type: "logout" });
    session.send({ type: "entered" });
    session.send({ type: "logout" });
    expect(session.told).toHaveLength(2);
  });

  it("does not change for a guest, whatever is heard", () => {
    const session = beginSession({ isMember: false });
    session.send({ type: "logout" });
    for (const type of ["refused", "kicked", "offline"] as const) session.send({ type, msg: "Bye" });
    session.clock.increment(READ_FOR_MS);
    expect([session.isGuest(), session.told]).toEqual([true, []]);
  });
});

describe("the end of a session", () => {
  it("by a refusal is said, and comes at once", () => {
    const session = beginSession();
    session.send({ type: "refused", msg: "Bye" });
    expect([session.isGuest(), session.told]).toEqual([true, [BYE, ENDED]]);
  });

  it.each(["kicked", "offline"] as const)("by being %s is said, and comes when it could be read", (type) => {
    const session = beginSession();
    session.send({ type, msg: "Bye" });
    expect([session.isMember(), session.isGuest(), session.told]).toEqual([false, false, [BYE]]);
    session.clock.increment(READ_FOR_MS - 1);
    expect(session.told).toEqual([BYE]);
    session.clock.increment(1);
    expect([session.isGuest(), session.told]).toEqual([true, [BYE, ENDED]]);
  });

  it("is told once, however often and in how many ways it is heard", () => {
    const session = beginSession();
    session.send({ type: "kicked", msg: "Bye" });
    for (const type of ["refused", "kicked", "offline"] as const) session.send({ type, msg: "Again" });
    session.clock.increment(READ_FOR_MS);
    session.send({ type: "logout" });
    session.send({ type: "refused", msg: "Again" });
    session.clock.increment(READ_FOR_MS);
    expect(session.told).toEqual([BYE, ENDED]);
  });

  it("is not waited for once the member, or another tab, has logged out", () => {
    const session = beginSession();
    session.send({ type: "kicked", msg: "Bye" });
    session.send({ type: "logout" });
    expect([session.isGuest(), session.told]).toEqual([true, [BYE, ENDED]]);
    session.clock.increment(READ_FOR_MS);
    expect(session.told).toHaveLength(2);
  });

  it("does not reach the session that another tab has begun since", () => {
    const session = beginSession();
    session.send({ type: "kicked", msg: "Bye" });
    session.send({ type: "entered" });
    session.clock.increment(READ_FOR_MS);
    expect([session.isMember(), session.told]).toEqual([true, [BYE]]);
  });
});
