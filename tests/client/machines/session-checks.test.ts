import { describe, expect, it } from "vitest";
import { CHECK_EVERY_MS } from "#client/machines/session.ts";
import { beginSession, settle } from "./begin-session.ts";

describe("checking a session", () => {
  it("happens at start, where the site requires it, though the connection is up", async () => {
    const session = beginSession();
    session.send({ type: "connection", up: true });
    await settle();
    expect(session.asked()).toBe(0);
    session.send({ type: "site", checks: true });
    await settle();
    expect(session.asked()).toBe(1);
  });

  it("happens at login, where the site requires it", async () => {
    const session = beginSession({ isMember: false });
    session.send({ type: "site", checks: true });
    await session.pass(2);
    expect(session.asked()).toBe(0);
    session.send({ type: "entered" });
    await settle();
    expect(session.asked()).toBe(1);
  });

  it("never happens where the site does not require it", async () => {
    const session = beginSession();
    session.send({ type: "site", checks: false });
    await session.pass(3);
    expect(session.asked()).toBe(0);
  });

  it("is repeated every three seconds while the connection is away, and not before", async () => {
    const session = beginSession();
    session.send({ type: "site", checks: true });
    await settle();
    session.clock.increment(CHECK_EVERY_MS - 1);
    await settle();
    expect(session.asked()).toBe(1);
    session.clock.increment(1);
    await settle();
    expect(session.asked()).toBe(2);
    await session.pass(3);
    expect(session.asked()).toBe(5);
  });

  it("pauses while the connection is up, and resumes when it is away again", async () => {
    const session = beginSession();
    session.send({ type: "site", checks: true });
    session.send({ type: "connection", up: true });
    await settle();
    await session.pass(5);
    expect(session.asked()).toBe(1);
    session.send({ type: "connection", up: false });
    await session.pass(2);
    expect(session.asked()).toBe(3);
  });

  it("ends when the site no longer requires it", async () => {
    const session = beginSession();
    session.send({ type: "site", checks: true });
    await settle();
    session.send({ type: "site", checks: false });
    await session.pass(3);
    expect(session.asked()).toBe(1);
  });

  it("is one at a time, and a failed one is followed by the next", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const session = beginSession({ check: () => promise });
    session.send({ type: "site", checks: true });
    await session.pass(3);
    expect(session.asked()).toBe(1);
    reject(new Error("no answer"));
    await settle();
    await session.pass(1);
    expect([session.isMember(), session.asked()]).toEqual([true, 2]);
  });

  it.each(["logout", "refused", "kicked"] as const)("ends with the session: %s", async (type) => {
    const session = beginSession();
    session.send({ type: "site", checks: true });
    await settle();
    session.send(type === "logout" ? { type } : { type, msg: "Bye" });
    await session.pass(3);
    expect(session.asked()).toBe(1);
  });
});
