import { afterEach, beforeEach, expect, it } from "vitest";
import { insufficient, refusalOf } from "#server/domains/ledger/refusal-figures.ts";
import { changeLimits, type LimitColumn } from "#server/domains/ledger/limits.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

it.each<[Partial<Record<LimitColumn, number>>, string, string]>([
  [{ limitStakeDay: 300, limitStakeWeek: 500, limitStakeMonth: 700 }, "stake_day", "3.00"],
  [{ limitStakeDay: 700, limitStakeWeek: 300, limitStakeMonth: 500 }, "stake_week", "3.00"],
  [{ limitStakeDay: 500, limitStakeWeek: 700, limitStakeMonth: 300 }, "stake_month", "3.00"],
  [{ limitStakeDay: 5_000, limitStakeWeek: 700, limitLossDay: 300 }, "loss_day", "3.00"],
])("of several limits in the way, %j, the refusal names the one that leaves the least", async (limits, limit, left) => {
  const { memberId } = await w.player("mia_1");
  const { db } = w.deps;
  await db.transact((tx) => changeLimits(tx, memberId, limits, w.now()));
  const { detail } = await refusalOf(db.read, "limit.reached", { memberId, cost: 1_000, now: w.now() }, "stake");
  expect(detail.figures).toMatchObject({ limit, left });
});

it("a limit that leaves what is asked for is not in the way", async () => {
  const { memberId } = await w.player("mia_1");
  const { db } = w.deps;
  await db.transact((tx) => changeLimits(tx, memberId, { limitStakeDay: 1_000 }, w.now()));
  const { detail } = await refusalOf(db.read, "limit.reached", { memberId, cost: 1_000, now: w.now() }, "stake");
  expect(detail).toEqual({});
});

it("a balance that lacks something says how much, to the hundredth", () => {
  expect(insufficient(1).detail).toEqual({ figures: { missing: "0.01" } });
  expect(insufficient(0).detail).toEqual({});
});
