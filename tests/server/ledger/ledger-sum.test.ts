import { afterEach, beforeEach, expect, it } from "vitest";
import { LedgerSum } from "#server/domains/ledger/ledger-sum.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { countQueries } from "../../support/count-queries.ts";
import { bet } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 10_000 });
  await w.live(1_000);
  await bet(w, mia, 100);
  await w.live(2 * MINUTE_MS);
});
afterEach(() => w.close());

it("is 0 while no money appeared or vanished, every five minutes", async () => {
  const sum = new LedgerSum(w.deps);
  expect(sum.last).toBeNaN();
  expect(await sum.tick()).toBe(5 * MINUTE_MS);
  expect(sum.last).toBe(0);
});

it("reads once what a seal covers", async () => {
  await w.site.housekeeping.seal();
  const { db, queriesOf } = countQueries(w.deps.db);
  const sum = new LedgerSum({ db });
  const first = await queriesOf(() => sum.tick());
  const second = await queriesOf(() => sum.tick());
  expect(second).toBeLessThan(first);
  expect(sum.last).toBe(0);
});

it("reads once what any number of seals cover", async () => {
  const { db, queriesOf } = countQueries(w.deps.db);
  const sum = new LedgerSum({ db });
  await w.site.housekeeping.seal();
  await sum.tick();
  const covered = await queriesOf(() => sum.tick());
  await bet(w, mia, 100);
  await w.site.housekeeping.seal();
  await sum.tick();
  expect(await queriesOf(() => sum.tick())).toBe(covered);
});
