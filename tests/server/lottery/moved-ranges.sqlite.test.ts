import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { settleRanges } from "#db/schema/index.ts";
import { openBookWorld, type SqliteWorld } from "./book-world.sqlite.ts";
import { CROWD, newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

let w: SqliteWorld;
let crowd: Crowd;

beforeEach(async () => {
  w = await openBookWorld();
  crowd = await newCrowd(w);
  await crowd.betSurely();
  await w.draw();
});
afterEach(() => w.end());

/** Lays ranges as a PostgreSQL has them, from which a site was moved in the middle of a round. */
function lay(...ranges: [fromId: number, toId: number][]): void {
  const raw = openSqlite(w.file);
  const row = raw.prepare("insert into settle_ranges values (?, ?, ?, ?, ?)");
  for (const [from, to] of ranges) row.run(crowd.round, from, to, from - 1, from - 1);
  raw.close();
}

const stand = async () =>
  (await w.db.read.select().from(settleRanges)).map(({ fromId, toId, settledTo }) => [fromId, toId, settledTo]);

it("a round that was moved in the middle goes on in the ranges that it has", async () => {
  const { members } = crowd;
  const [second, third] = [members[7]!, members[11]!];
  lay([1, second - 1], [second, third - 1], [third, Number.MAX_SAFE_INTEGER]);
  let credited = 0;
  await w.settleUntil(crowd.round, (piece) => {
    if (piece && "outcomes" in piece) credited += piece.outcomes.length;
    return credited === 9;
  });
  expect(await stand()).toEqual([
    [1, second - 1, second - 1],
    [second, third - 1, members[8]],
    [third, Number.MAX_SAFE_INTEGER, third - 1],
  ]);
  expect(outcomesOf(await crowd.settle()).map(({ memberId }) => memberId)).toEqual(members.slice(9));
  await crowd.expectPaidOnce();
});

it("how far its index is written is kept as well", async () => {
  let isPaid = false;
  await w.settleUntil(crowd.round, (piece) => {
    const dies = isPaid && piece === undefined;
    isPaid ||= piece !== undefined && "settled" in piece;
    return dies;
  });
  const [range] = await w.db.read.select().from(settleRanges);
  expect(range).toMatchObject({ fromId: 1, toId: Number.MAX_SAFE_INTEGER, settledTo: Number.MAX_SAFE_INTEGER });
  const { index } = await crowd.rows();
  expect(index.length).toBeGreaterThan(0);
  expect(index.length).toBeLessThan(2 * CROWD);
  expect(range!.indexedTo).toBe(index.at(-1)!.memberId);
  expect(await crowd.settle()).toEqual([]);
  await crowd.expectPaidOnce();
});
