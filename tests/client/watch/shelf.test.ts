import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openShelf } from "#client/watch/shelf.ts";
import { BrowserDatabase } from "./browser-database.ts";
import { House } from "./house.ts";
import { Phone } from "./phone.ts";

let database: BrowserDatabase;
beforeEach(() => {
  database = new BrowserDatabase();
  for (const [name, value] of Object.entries(database.globals)) vi.stubGlobal(name, value);
});
afterEach(() => vi.unstubAllGlobals());

/** A phone that has checked a round, in a browser that keeps it. */
async function watching() {
  const phone = new Phone(new House(), await openShelf());
  await phone.meets();
  await phone.round(1);
  await phone.wait();
  return phone;
}

describe("a browser that keeps what was checked", () => {
  it("has nothing to say before the first log was met", async () => {
    const phone = new Phone(new House(), await openShelf());
    phone.instead.head = () => null;
    expect(await phone.report()).toMatchObject({ log: null, rounds: 0, days: { young: 0, unproved: 0 } });
  });

  it("has it at the next visit", async () => {
    const phone = await watching();
    const next = new Phone(phone.house, await openShelf());
    expect(await next.report()).toMatchObject({ rounds: 1, isLasting: true, findings: [] });
  });

  it("and ends the connection is connected again, to read and to write", async () => {
    const phone = await watching();
    database.end();
    expect((await phone.report()).rounds).toBe(1);
    database.end();
    await phone.round(2);
    expect(await phone.report()).toMatchObject({ rounds: 2, isLasting: true });
    const next = new Phone(phone.house, await openShelf());
    expect((await next.report()).rounds).toBe(2);
    expect(database.opened).toBe(4);
  });

  it("and has no room left is said to, and what is found is found all the same", async () => {
    const phone = await watching();
    database.hasRoom = false;
    await phone.round(2);
    await phone.hear(phone.house.open(3));
    await phone.hears(phone.house.close(3));
    await phone.hear(phone.house.result(3, { opencode: [6, 6, 6] }));
    expect(await phone.found()).toEqual(["dice"]);
    expect(phone.told).toContainEqual({ to: "found", kind: "dice", member: "" });
    expect(await phone.report()).toMatchObject({ rounds: 2, isLasting: false });
    const next = new Phone(phone.house, await openShelf());
    expect((await next.report().catch(() => null))?.rounds).toBe(1);
  });
});
