import { describe, expect, it } from "vitest";
import { READ_FOR_MS } from "#client/machines/session.ts";
import { beginSession, settle } from "./begin-session.ts";

const BYE = { type: "say", msg: "Bye" };
const ENDED = { type: "left", why: "ended" };

describe("the logged-in member", () => {
  it("is none on a device without a stored session, until a login", () => {
    const session = beginSession({ isMember: false });
    expect(session.isGuest()).toBe(true);
    session.send({ type: "entered" });
    expect(session.isMember()).toBe(true);
    expect(session.emitted).toEqual([]);
  });

  it("is the one whose session the device has stored", () => {
    expect(beginSession().isMember()).toBe(true);
  });

  it("is none after logging out, at once and silently", () => {
    const session = beginSession();
    session.send({ type: "logout" });
    expect(session.isGuest()).toBe(true);
    expect(session.emitted).toEqual([{ type: "left", why: "logout" }]);
  });

  it("can log in again after logging out", () => {
    const session = beginSession();
    session.send({ type: "logout" });
    session.send({ type: "entered" });
    session.send({ type: "logout" });
    expect(session.emitted).toHaveLength(2);
  });

  it("stays none for a guest, whatever arrives", () => {
    const session = beginSession({ isMember: false });
    session.send({ type: "logout" });
    for (const type of ["refused", "kicked", "offline"] as const) session.send({ type, msg: "Bye" });
    session.clock.increment(READ_FOR_MS);
    expect([session.isGuest(), session.emitted]).toEqual([true, []]);
  });
});

describe("the end of a session", () => {
  it("by a refusal is announced, and comes at once", () => {
    const session = beginSession();
    session.send({ type: "refused", msg: "Bye" });
    expect([session.isGuest(), session.emitted]).toEqual([true, [BYE, ENDED]]);
  });

  it.each([
    ["kicked", ENDED],
    ["offline", { type: "left", why: "locked", msg: "Bye" }],
  ] as const)("by being %s is announced, and comes after time to read it", async (type, left) => {
    const session = beginSession();
    session.send({ type, msg: "Bye" });
    await settle();
    expect([session.isMember(), session.isGuest(), session.emitted]).toEqual([false, false, [BYE]]);
    session.clock.increment(READ_FOR_MS - 1);
    expect(session.emitted).toEqual([BYE]);
    session.clock.increment(1);
    expect([session.isGuest(), session.emitted]).toEqual([true, [BYE, left]]);
  });

  it.each(["logout", "time"])("by a lock takes along the operator's reason, left by %s", async (by) => {
    const session = beginSession({ whyLocked: async () => "Two accounts" });
    session.send({ type: "offline", msg: "Bye" });
    await settle();
    if (by === "logout") session.send({ type: "logout" });
    session.clock.increment(READ_FOR_MS);
    expect(session.emitted).toEqual([BYE, { type: "left", why: "locked", msg: "Two accounts" }]);
  });

  it("by a lock waits for the operator's reason beyond the time to read", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const session = beginSession({ whyLocked: () => promise });
    session.send({ type: "offline", msg: "Bye" });
    session.clock.increment(READ_FOR_MS);
    expect(session.emitted).toEqual([BYE]);
    resolve("Two accounts");
    await settle();
    expect(session.emitted).toEqual([BYE, { type: "left", why: "locked", msg: "Two accounts" }]);
  });

  it("is announced once, however often and in how many ways it is reported", () => {
    const session = beginSession();
    session.send({ type: "kicked", msg: "Bye" });
    for (const type of ["refused", "kicked", "offline"] as const) session.send({ type, msg: "Again" });
    session.clock.increment(READ_FOR_MS);
    session.send({ type: "logout" });
    session.send({ type: "refused", msg: "Again" });
    session.clock.increment(READ_FOR_MS);
    expect(session.emitted).toEqual([BYE, ENDED]);
  });

  it("is not waited for once the member, or another tab, has logged out", () => {
    const session = beginSession();
    session.send({ type: "kicked", msg: "Bye" });
    session.send({ type: "logout" });
    expect([session.isGuest(), session.emitted]).toEqual([true, [BYE, ENDED]]);
    session.clock.increment(READ_FOR_MS);
    expect(session.emitted).toHaveLength(2);
  });

  it.each(["kicked", "offline"] as const)(
    "by being %s does not affect a session that another tab has begun since",
    (type) => {
      const session = beginSession();
      session.send({ type, msg: "Bye" });
      session.send({ type: "entered" });
      session.clock.increment(READ_FOR_MS);
      expect([session.isMember(), session.emitted]).toEqual([true, [BYE]]);
    },
  );
});
