import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { sealLedger } from "#server/domains/ledger/seal.sqlite.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { unguard } from "../../support/copies.ts";
import { bet } from "../../support/ledger.ts";
import { withConnection } from "../../support/own-connection.ts";
import { firstWrongSeal, readSeals } from "../../support/seals.ts";
import { world, type World } from "../../support/world.ts";

let w: World;

beforeEach(async () => {
  w = await world();
  await w.game();
  const [mia, leo] = [await w.player("mia_1", { balance: 1_000 }), await w.player("leo_1", { balance: 1_000 })];
  await w.live(1_000);
  for (const player of [mia, leo]) await bet(w, player, 10, "A,B");
  await w.live(MINUTE_MS);
});
afterEach(() => w.close());

/** Seals to the end. Returns the new seal, or null. */
function seal(): string | null {
  const raw = openSqlite(w.config.database);
  try {
    const sealing = sealLedger({ raw, clock: w.deps.clock }, "00".repeat(32));
    for (;;) {
      const { done, value } = sealing.next();
      if (done) return value;
    }
  } finally {
    raw.close();
  }
}

it("a seal is returned once, and nothing where nothing is new", async () => {
  const made = seal();
  expect(await withConnection(w.config.database, readSeals)).toMatchObject([{ seal: made }]);
  expect(seal()).toBeNull();
});

it("each payout is in one leaf, where a round was credited in several pieces", async () => {
  await withConnection(w.config.database, async (connection) => {
    await unguard(connection);
    await connection.run(
      `insert into house_entries (kind, amount, round_id, from_id, to_id, created_at)
       select kind, amount / 2, round_id, to_id, to_id, created_at from house_entries where kind = 'payouts'`,
    );
    await connection.run(
      "update house_entries set to_id = from_id, amount = amount / 2 where from_id < to_id and kind = 'payouts'",
    );
  });
  seal();
  expect(await withConnection(w.config.database, firstWrongSeal)).toBeNull();
});
