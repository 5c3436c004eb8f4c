import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitChanges, wallets } from "#db/schema/index.ts";
import { applyDueLimits, changeLimits, excludeMember } from "#server/domains/ledger/limits.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const transact: World["deps"]["db"]["transact"] = (work) => w.deps.db.transact(work);
const exclude = (until: number) => transact((tx) => excludeMember(tx, mia.memberId, until, w.now()));
const excludedUntil = async () => (await readWallet(w.deps.db.read, mia.memberId)).excludedUntil;
const LATE_MS = 5 * MINUTE_MS;

describe("the length of a break", () => {
  it.each([
    ["a day and five minutes late", DAY_MS - LATE_MS],
    ["42 days on a clock that is five minutes fast", 42 * DAY_MS + LATE_MS],
    ["180 days and five minutes late", 180 * DAY_MS - LATE_MS],
  ])("may be %s", async (_, ms) => {
    await exclude(w.now() + ms);
    expect(await excludedUntil()).toBe(w.now() + ms);
  });

  it.each([
    ["shorter than a day", DAY_MS - LATE_MS - 1],
    ["longer than 42 days", 42 * DAY_MS + LATE_MS + 1],
    ["shorter than 180 days", 180 * DAY_MS - LATE_MS - 1],
  ])("is not a millisecond %s beyond that", async (_, ms) => {
    await expect(exclude(w.now() + ms)).rejects.toMatchObject({ reason: "input.invalid" });
    expect(await excludedUntil()).toBe(0);
  });

  it("stays when it is asked for again, even once it is too near to be new", async () => {
    const until = w.now() + DAY_MS;
    await exclude(until);
    w.pass(DAY_MS / 2);
    await exclude(until);
    expect(await excludedUntil()).toBe(until);
  });
});

describe("looser limits that are due", () => {
  it("apply a hundred at a time, each to its own member", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 101; i++) ids.push((await w.player(`m_${i}`)).memberId);
    const now = w.now();
    for (const id of ids)
      await transact(async (tx) => {
        await changeLimits(tx, id, { limitStakeDay: 1 }, now);
        await changeLimits(tx, id, { limitStakeDay: 100 + id }, now);
      });
    const apply = (at: number) => transact((tx) => applyDueLimits(tx, at));
    expect(await apply(now + DAY_MS - 1)).toBe(0);
    expect(await apply(now + DAY_MS)).toBe(100);
    expect(await w.deps.db.read.select().from(limitChanges)).toHaveLength(1);
    expect(await apply(now + DAY_MS)).toBe(1);
    expect(await apply(now + DAY_MS)).toBe(0);
    const all = await w.deps.db.read.select().from(wallets);
    for (const { memberId, limitStakeDay } of all)
      expect(limitStakeDay).toBe(memberId === mia.memberId ? null : 100 + memberId);
  });
});
