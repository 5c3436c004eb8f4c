import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { rounds } from "#db/schema/lottery.ts";
import { layRanges } from "#server/domains/lottery/index-round.sqlite.ts";
import { openBookWorld } from "./book-world.sqlite.ts";

const RANGES = [
  { fromId: 1, toId: 4, settledTo: 0, indexedTo: 0 },
  { fromId: 5, toId: 9, settledTo: 4, indexedTo: 4 },
];

it("the ranges of a round are laid once, and none of a round that is indexed", async () => {
  const w = await openBookWorld();
  const [first, other] = await w.openRounds();
  const raw = openSqlite(w.file);
  const laid = () => raw.prepare("select round_id, from_id, settled_to from settle_ranges order by 1, 2").raw().all();
  layRanges(raw, first, RANGES);
  layRanges(raw, first, [{ ...RANGES[0]!, settledTo: 3 }]);
  expect(laid()).toEqual([
    [first, 1, 0],
    [first, 5, 4],
  ]);
  await w.db.transact((tx) => tx.update(rounds).set({ indexedAt: 1 }).where(eq(rounds.id, other)));
  layRanges(raw, other, RANGES);
  expect(laid()).toHaveLength(2);
  raw.close();
  await w.end();
});
