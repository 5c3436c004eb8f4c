import { afterEach, beforeEach, expect, it } from "vitest";
import { countDeposit } from "#server/domains/ledger/count-deposit.ts";
import { changeLimits } from "#server/domains/ledger/limits.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

it("a top-up beyond the member's own limit is refused for the limit, though the wallet is empty", async () => {
  const { memberId } = await w.player("mia_1");
  const { db } = w.deps;
  await db.transact((tx) => changeLimits(tx, memberId, { limitDepositDay: 100 }, w.now()));
  const counting = db.transact((tx) => countDeposit(tx, memberId, 101, w.now()));
  await expect(counting).rejects.toMatchObject({ reason: "limit.reached", detail: { figures: { left: "1.00" } } });
});
