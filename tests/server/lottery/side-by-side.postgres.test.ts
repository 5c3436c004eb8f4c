import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settleRanges } from "#db/schema/index.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { settleRound } from "#server/domains/lottery/settle.postgres.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { maskOf } from "#shared/lottery/rules.ts";
import { openBookWorld, type PostgresWorld } from "./book-world.postgres.ts";
import { orderOf, RULES, SURE } from "./book-world.ts";
import { CROWD, newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

/** Four ranges of five members, of whom one piece holds two. */
const SIZES = { piece: 2, range: 5 };

let w: PostgresWorld;
let crowd: Crowd;

beforeEach(async () => {
  w = await openBookWorld();
  crowd = await newCrowd(w);
  await crowd.betSurely();
  await w.draw();
});
afterEach(async () => {
  disarm();
  await w.end();
});

/** A process that settles the round. */
const process = (sizes = SIZES) =>
  settleRound(
    { pool: w.pool, clock: w, reading: () => ({ from: w.now(), startedAt: 0, speed: 0 }) },
    crowd.round,
    sizes,
  );

async function piecesOf(settling: AsyncIterable<SettlePiece | undefined>): Promise<SettlePiece[]> {
  const pieces: SettlePiece[] = [];
  for await (const piece of settling) if (piece) pieces.push(piece);
  return pieces;
}

/** Goes on with a settlement up to its first piece of that name, and returns the pieces. */
async function until(settling: AsyncGenerator<SettlePiece | undefined>, name: string): Promise<SettlePiece[]> {
  const pieces: SettlePiece[] = [];
  for (;;) {
    const { value, done } = await settling.next();
    if (value) pieces.push(value);
    if (done || (value && name in value)) return pieces;
  }
}

const rangesNow = () =>
  w.db.read.select().from(settleRanges).where(eq(settleRanges.roundId, crowd.round)).orderBy(settleRanges.fromId);
const idsOf = (outcomes: MemberOutcome[]) => outcomes.map(({ memberId }) => memberId).sort((a, b) => a - b);

it("a round's ranges are credited side by side, each in the order of its members", async () => {
  const settling = process();
  await until(settling, "outcomes");
  const standing = await vi.waitUntil(async () => {
    const ranges = await rangesNow();
    return ranges.filter(({ fromId, settledTo }) => settledTo >= fromId).length > 1 && ranges;
  });
  expect(standing).toHaveLength(4);
  const paid = (await crowd.rows()).payouts.map(({ memberId }) => memberId);
  // The pieces that are under way may be committed by now.
  for (const { fromId, settledTo } of standing)
    expect(paid).toEqual(expect.arrayContaining(crowd.members.filter((id) => id >= fromId && id <= settledTo)));
  const rest = idsOf(outcomesOf(await piecesOf(settling)));
  expect(rest).toHaveLength(CROWD - 2);
  await crowd.expectPaidOnce();
});

it("several processes share a round, and each member is credited and reported once", async () => {
  const [first, ...others] = [process(), process(), process()];
  const begun = await until(first, "outcomes");
  const shares = await Promise.all(others.map(async (one) => outcomesOf(await piecesOf(one))));
  // The first stood still meanwhile: the others did what it had not begun.
  expect(shares.flat().length).toBeGreaterThan(0);
  const own = outcomesOf([...begun, ...(await piecesOf(first))]);
  expect(own.length).toBeGreaterThanOrEqual(SIZES.piece);
  expect(idsOf([...own, ...shares.flat()])).toEqual(crowd.members);
  await crowd.expectPaidOnce();
});

it("a listener that throws ends the settlement, and no statement of it is under way any more", async () => {
  crowd = await newCrowd(w);
  const many = await w.members(3 * 2_000);
  for (let from = 0; from < many.length; from += 500)
    await w.book.place(many.slice(from, from + 500).map((memberId) => orderOf(memberId, crowd.round, SURE)));
  await w.draw();
  const settling = w.book.settle(crowd.round, (piece) => {
    if ("outcomes" in piece) throw new Error("a listener");
  });
  await expect(settling).rejects.toThrow("a listener");
  const underWay = `select query from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%update settle_ranges%' and pid <> pg_backend_pid()`;
  expect((await w.pool.query(underWay)).rows).toEqual([]);
  expect(await rangesNow()).toHaveLength(3);
  await crowd.settle();
  expect((await crowd.rows()).payouts).toHaveLength(many.length);
  expect(await rangesNow()).toEqual([]);
});

it("a process goes on behind one that died, in each range", async () => {
  const dead = process();
  await until(dead, "outcomes");
  await until(dead, "outcomes");
  await dead.return(null);
  const before = (await crowd.rows()).payouts.map(({ memberId }) => memberId);
  expect(before.length).toBeLessThan(CROWD);
  const after = idsOf(outcomesOf(await piecesOf(process())));
  expect([...before, ...after].sort((a, b) => a - b)).toEqual(crowd.members);
  await crowd.expectPaidOnce();
});

it("a process of another version keeps the ranges that are there", async () => {
  const first = process();
  await until(first, "outcomes");
  await first.return(null);
  const other = process({ piece: 3, range: 2 });
  await until(other, "outcomes");
  expect(await rangesNow()).toHaveLength(4);
  await piecesOf(other);
  await crowd.expectPaidOnce();
});

it("of two processes that both find no ranges, one lays them", async () => {
  const [first, second] = [process(), process({ piece: 2, range: 4 })];
  await until(first, "bettors");
  await until(second, "bettors");
  const shares = await Promise.all([first, second].map(async (one) => outcomesOf(await piecesOf(one))));
  expect(idsOf(shares.flat())).toEqual(crowd.members);
  await crowd.expectPaidOnce();
});

it("a bet that is wrong in the last range pays nobody of any, and lays none", async () => {
  await w.pool.query("alter table bets disable trigger user");
  await w.pool.query("update bets set total = total + 1 where round_id = $1 and member_id = $2", [
    crowd.round,
    crowd.members.at(-1),
  ]);
  expect(await piecesOf(process())).toEqual([{ failed: expect.stringMatching(/^bet \d+ took \d+, not its stakes$/) }]);
  expect(await rangesNow()).toEqual([]);
  expect((await crowd.rows()).payouts).toEqual([]);
});

it.each(["settle.ranges", "settle.credit", "settle.credited", "settle.finish", "index.piece", "index.finish"])(
  "after a fault at %s all ranges are worked through by the next attempt",
  async (step) => {
    arm(`${step} throw 1`);
    await expect(piecesOf(process())).rejects.toThrow(`failpoint ${step}`);
    await piecesOf(process());
    await crowd.expectPaidOnce();
  },
);

it("the index of a round is shared, too: whoever comes in the middle goes on where each range stands", async () => {
  const first = process();
  await until(first, "settled");
  await first.next();
  await first.return(null);
  const half = await rangesNow();
  expect(half.some(({ fromId, indexedTo }) => indexedTo >= fromId)).toBe(true);
  expect(half.some(({ toId, indexedTo }) => indexedTo < toId)).toBe(true);
  await Promise.all([piecesOf(process()), piecesOf(process())]);
  await crowd.expectPaidOnce();
});

/** Some of the members lose. */
async function betToo(): Promise<void> {
  crowd = await newCrowd(w);
  const losing = { mask: maskOf(RULES, ["3"]), stake: 100 };
  await w.book.place(crowd.members.map((id, i) => orderOf(id, crowd.round, i % 2 ? SURE : losing)));
  await w.draw();
}

it.each(["settle.count", "bettors"])(
  "a process that another one overtakes at its %s ends, and leaves no range",
  async (at) => {
    await betToo();
    const late = process();
    // Up to the first piece of its counting, or to the last one before it looks for ranges.
    if (at === "bettors") await until(late, "bettors");
    else await late.next();
    await piecesOf(process());
    expect(outcomesOf(await piecesOf(late))).toEqual([]);
    expect(await rangesNow()).toEqual([]);
    await crowd.expectPaidOnce();
  },
);

it("a round that another process fails meanwhile pays nobody any more", async () => {
  const settling = process();
  await until(settling, "bettors");
  await w.pool.query("update rounds set failed_at = 1, failure = 'a test' where id = $1", [crowd.round]);
  expect(outcomesOf(await piecesOf(settling))).toEqual([]);
  expect((await crowd.rows()).payouts).toEqual([]);
});

it("how far a round is settled never goes back, and is kept until the round is settled", async () => {
  const settling = process();
  await until(settling, "outcomes");
  const BACK = "how far a round is settled never goes back";
  const change = (set: string) => w.pool.query(`update settle_ranges set ${set}`);
  for (const set of ["settled_to = 0", "to_id = to_id + 1", "from_id = 2", "round_id = 1"])
    await expect(change(set)).rejects.toThrow(BACK);
  await expect(w.pool.query("delete from settle_ranges")).rejects.toThrow(BACK);
  await expect(w.pool.query("truncate settle_ranges")).rejects.toThrow(BACK);
  await until(settling, "settled");
  await settling.next();
  await expect(change("indexed_to = 0")).rejects.toThrow(BACK);
  await settling.return(null);
  await piecesOf(process());
});
