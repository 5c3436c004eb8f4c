import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countDeposit, countLateDeposit } from "#server/domains/ledger/count-deposit.ts";
import { changeLimits, type LimitColumn } from "#server/domains/ledger/limits.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { DAY_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

/** In 2026, the 4th of March is a Wednesday. */
const WEDNESDAY = Date.UTC(2026, 2, 4, 12);
const [TUESDAY, SUNDAY, FEBRUARY] = [WEDNESDAY - DAY_MS, WEDNESDAY - 3 * DAY_MS, WEDNESDAY - 4 * DAY_MS];

let w: World;
let mia: Player;
let eva: Player;

beforeEach(async () => {
  w = await world({ now: WEDNESDAY });
  [mia, eva] = [await w.player("mia_1"), await w.player("eva_1")];
});
afterEach(() => w.close());

const late = (amount: number, orderedAt: number) =>
  w.deps.db.transact((tx) => countLateDeposit(tx, mia.memberId, { amount, orderedAt }, w.now()));
const limit = (column: LimitColumn, value: number) =>
  w.deps.db.transact((tx) => changeLimits(tx, mia.memberId, { [column]: value }, w.now()));
const counters = async ({ memberId } = mia) => {
  const { depositedDay, depositedWeek, depositedMonth } = await readWallet(w.deps.db.read, memberId);
  return [depositedDay, depositedWeek, depositedMonth];
};

describe("a top-up that is paid later than ordered", () => {
  it.each([
    ["today counts in no period again", WEDNESDAY, [0, 0, 0]],
    ["yesterday counts today alone", TUESDAY, [70, 0, 0]],
    ["last week counts this week too", SUNDAY, [70, 70, 0]],
    ["last month counts in every period", FEBRUARY, [70, 70, 70]],
  ])("and was ordered %s", async (_, orderedAt, added) => {
    await w.deps.db.transact((tx) => countDeposit(tx, mia.memberId, 500, w.now()));
    expect(await late(70, orderedAt)).toBe(true);
    expect(await counters()).toEqual(added.map((more) => 500 + more));
    expect(await counters(eva)).toEqual([0, 0, 0]);
  });

  it.each(["limitDepositDay", "limitDepositWeek", "limitDepositMonth"] as const)(
    "fills %s to the last and no further",
    async (column) => {
      await limit(column, 100);
      expect(await late(101, FEBRUARY)).toBe(false);
      expect(await late(60, FEBRUARY)).toBe(true);
      expect(await late(41, FEBRUARY)).toBe(false);
      expect(await late(40, FEBRUARY)).toBe(true);
      expect(await counters()).toEqual([100, 100, 100]);
      // What the period has counted already needs no room in it.
      expect(await late(1_000, WEDNESDAY)).toBe(true);
    },
  );

  it("is not counted for a locked member", async () => {
    await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
    expect(await late(70, FEBRUARY)).toBe(false);
    expect(await counters()).toEqual([0, 0, 0]);
  });
});
