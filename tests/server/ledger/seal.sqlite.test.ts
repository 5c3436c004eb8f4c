import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { sealLedger } from "#server/domains/ledger/seal.sqlite.ts";
import { withConnection } from "../../support/own-connection.ts";
import { bet } from "../../support/ledger.ts";
import { firstWrongSeal, readSeals } from "../../support/seals.ts";
import { world, type World } from "../../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  await Promise.all(Array.from({ length: 5 }, (_, i) => bet(w, mia, 10 + i, "A,B")));
});
afterEach(() => w.close());

const seals = () => withConnection(w.config.database, readSeals);

it("sealing the ledger keeps the seal that another process made meanwhile", async () => {
  const raw = openSqlite(w.config.database);
  // By this clock every leaf takes long enough for a pause.
  let ms = 0;
  const slowly = vi.spyOn(performance, "now").mockImplementation(() => (ms += 100));
  const half = sealLedger({ raw, clock: w.deps.clock }, "00".repeat(32));
  expect(half.next().done).toBe(false);
  await w.site.housekeeping.seal();
  const theirs = await seals();
  while (!half.next().done);
  slowly.mockRestore();
  raw.close();
  expect(await seals()).toEqual(theirs);
  expect(theirs).toHaveLength(1);
  expect(await withConnection(w.config.database, firstWrongSeal)).toBeNull();
});
