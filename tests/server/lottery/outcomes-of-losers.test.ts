import { afterEach, beforeEach, expect, it } from "vitest";
import { payouts, wallets } from "#db/schema/index.ts";
import { readCounted, readOutcomes } from "#server/domains/lottery/read-outcomes.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
});
afterEach(() => w.close());

it("who won nothing keeps the wallet that they have, whatever others have", async () => {
  const [mia, leo] = [await w.player("m_1", { balance: 500 }), await w.player("l_1", { balance: 700 })];
  // One of the two wins.
  await bet(w, mia, 10, "A");
  await bet(w, leo, 20, "B");
  await w.live(MINUTE_MS);
  const { read } = w.deps.db;
  const [paid] = await read.select().from(payouts);
  const [loser, winner] = paid!.memberId === mia.memberId ? [leo, mia] : [mia, leo];
  const outcomesOf = async (...ids: number[]) => {
    const all = [];
    for await (const piece of readOutcomes(read, 1, [...(await readCounted(read, 1, ids))])) all.push(...piece);
    return new Map(all.map(({ memberId, win, balance, version }) => [memberId, { win, balance, version }]));
  };
  const own = (await read.select().from(wallets)).find(({ memberId }) => memberId === loser.memberId)!;
  const lost = { win: 0, balance: own.balance, version: own.version };
  const won = { win: paid!.amount, balance: paid!.balanceAfter, version: paid!.version };
  expect(await outcomesOf(loser.memberId)).toEqual(new Map([[loser.memberId, lost]]));
  expect(await outcomesOf(loser.memberId, winner.memberId)).toEqual(
    new Map([
      [loser.memberId, lost],
      [winner.memberId, won],
    ]),
  );
});
