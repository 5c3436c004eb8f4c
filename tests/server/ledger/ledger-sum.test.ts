import { afterEach, beforeEach, expect, it } from "vitest";
import type { Db, Tx } from "#db/db.ts";
import { LedgerSum } from "#server/domains/ledger/ledger-sum.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 10_000 });
  await w.live(1_000);
  await bet(w, mia, 100);
  await w.live(2 * MINUTE_MS);
});
afterEach(() => w.close());

/** The database, and how many queries were made of it. */
function counted(db: Pick<Db, "snapshot">) {
  let queries = 0;
  const counting = (read: Tx) =>
    new Proxy(read, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === "select") queries++;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  const snapshot: Db["snapshot"] = (work) => db.snapshot((read) => work(counting(read)));
  const queriesOf = async (work: () => Promise<unknown>) => {
    const before = queries;
    await work();
    return queries - before;
  };
  return { db: { snapshot }, queriesOf };
}

it("is 0 while no money appeared or vanished, every five minutes", async () => {
  const sum = new LedgerSum(w.deps);
  expect(sum.last).toBeNaN();
  expect(await sum.tick()).toBe(5 * MINUTE_MS);
  expect(sum.last).toBe(0);
});

it("reads once what a seal covers", async () => {
  await w.site.housekeeping.seal();
  const { db, queriesOf } = counted(w.deps.db);
  const sum = new LedgerSum({ db });
  const first = await queriesOf(() => sum.tick());
  const second = await queriesOf(() => sum.tick());
  expect(second).toBeLessThan(first);
  expect(sum.last).toBe(0);
});
