import type Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { PIECE_MS, settleRound } from "#server/domains/lottery/settle.sqlite.ts";
import { UNEQUAL } from "#server/domains/lottery/settle.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { openBookWorld, type SqliteWorld } from "./book-world.sqlite.ts";
import { newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

let w: SqliteWorld;
let crowd: Crowd;
let raw: Sqlite.Database;

beforeEach(async () => {
  w = await openBookWorld();
  crowd = await newCrowd(w);
  raw = openSqlite(w.file);
  // By this clock every look takes so long that a step holds one member.
  let watch = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (watch += PIECE_MS / 2));
});
afterEach(async () => {
  vi.restoreAllMocks();
  raw.close();
  await w.end();
});

const settling = (roundId: number) => settleRound({ raw, clock: w }, roundId);
const change = (sql: string) =>
  withConnection(w.file, async (connection) => {
    await unguard(connection);
    await connection.run(sql);
  });

/** Goes on with a settlement until all are credited. */
function creditAll(work: ReturnType<typeof settling>): void {
  let left = crowd.members.length;
  while (left > 0) left -= outcomesOf([work.next().value as SettlePiece].filter(Boolean)).length;
}

it("a round that is not drawn is not settled", () => {
  expect(() => settling(crowd.round).next()).toThrow(`round ${crowd.round} is not drawn`);
});

it("a round whose payouts were changed meanwhile fails, and is neither settled nor indexed", async () => {
  await crowd.betSurely();
  await w.draw();
  const work = settling(crowd.round);
  creditAll(work);
  await change(`update payouts set amount = amount + 1 where member_id = ${crowd.members[0]}`);
  expect([...work]).toEqual([{ failed: UNEQUAL }]);
  const { round, index } = await crowd.rows();
  expect(round).toMatchObject({ failure: UNEQUAL, failedAt: w.now(), settledAt: null, indexedAt: null });
  expect(index).toEqual([]);
});

it("how far a round is indexed does not go back where another process is ahead", async () => {
  await crowd.betSurely();
  await w.draw();
  const work = settling(crowd.round);
  creditAll(work);
  expect(work.next().value).toHaveProperty("settled");
  work.next();
  const all = crowd.members.at(-2)!;
  await change(`update settle_ranges set indexed_to = ${all} where round_id = ${crowd.round}`);
  work.next();
  const { ranges, index } = await crowd.rows();
  expect([ranges.map(({ indexedTo }) => indexedTo), new Set(index.map(({ memberId }) => memberId)).size]).toEqual([
    [all],
    2,
  ]);
});
