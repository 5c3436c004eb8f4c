import type Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { PIECE_MS, settleRound } from "#server/domains/lottery/settle.sqlite.ts";
import { UNEQUAL } from "#server/domains/lottery/settle.ts";
import { unguard } from "../../support/copies.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { withConnection } from "../../support/own-connection.ts";
import { openBookWorld, type SqliteWorld } from "./book-world.sqlite.ts";
import { newCrowd, outcomesOf, type Crowd } from "./crowd.ts";

let w: SqliteWorld;
let crowd: Crowd;
let raw: Sqlite.Database;
let work: ReturnType<typeof settleRound>;

beforeAll(async () => {
  w = await openBookWorld();
  raw = openSqlite(w.file);
});
beforeEach(async () => {
  crowd = await newCrowd(w);
  await crowd.betSurely();
  await w.draw();
  // By this clock every look takes so long that a step credits two members, or indexes one.
  let watch = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (watch += PIECE_MS / 2));
  work = begin();
});
afterEach(() => {
  disarm();
  vi.restoreAllMocks();
});
afterAll(async () => {
  raw.close();
  await w.end();
});

const begin = () => settleRound({ raw, clock: w }, crowd.round);
/** What another process did meanwhile. */
const meanwhile = (sql: string) =>
  withConnection(w.file, async (connection) => {
    await unguard(connection);
    await connection.run(sql);
  });
const change = (table: "rounds" | "settle_ranges", set: string) =>
  meanwhile(`update ${table} set ${set} where ${table === "rounds" ? "id" : "round_id"} = ${crowd.round}`);

/** Goes on until so many are credited. */
function credit(count: number): void {
  let left = count;
  while (left > 0) left -= outcomesOf([work.next().value as SettlePiece].filter(Boolean)).length;
}
const creditAll = () => credit(crowd.members.length);
const payouts = async () => (await crowd.rows()).payouts.length;

describe("a settlement gives up, and its step leaves nothing behind,", () => {
  it.each([
    ["where another process has credited the next", "settle_ranges", "settled_to = settled_to + 1"],
    ["where the round was settled meanwhile", "rounds", "settled_at = 1"],
    ["where the round failed meanwhile", "rounds", "failed_at = 1"],
  ] as const)("%s", async (_, table, set) => {
    credit(4);
    await change(table, set);
    expect(() => work.next()).toThrow(`round ${crowd.round} is being settled by another process`);
    expect(await payouts()).toBe(4);
  });

  it.each([
    ["settle.count", 0, 0],
    ["settle.credit", 0, 0],
    ["settle.credited", 0, 2],
    ["settle.finish", 20, 20],
    ["index.piece", 20, 20],
    ["index.finish", 20, 20],
  ])("where it breaks off at %s, and goes on from there", async (step, before, paid) => {
    credit(before);
    arm(`${step}:${crowd.round} throw`);
    expect(() => [...work]).toThrow(step);
    expect(await payouts()).toBe(paid);
    const { index, round } = await crowd.rows();
    const isSettled = step.startsWith("index");
    expect([round.settledAt !== null, index.length, round.indexedAt]).toEqual([
      isSettled,
      step === "index.finish" ? crowd.members.length + paid : 0,
      null,
    ]);
    disarm();
    work = begin();
    const rest = outcomesOf([...work].filter((piece) => piece !== undefined));
    expect(rest).toHaveLength(crowd.members.length - paid);
    await crowd.expectPaidOnce();
  });
});

it("a round that another process settled first is not settled again, and is indexed", async () => {
  creditAll();
  const paid = (await crowd.rows()).payouts.reduce((sum, { amount }) => sum + amount, 0);
  await change("rounds", `settled_at = 5, bet_count = 40, staked = 1, paid = ${paid}`);
  expect([...work].filter((piece) => piece !== undefined)).toEqual([]);
  expect((await crowd.rows()).round).toMatchObject({ settledAt: 5, staked: 1, indexedAt: w.now() });
});

it("a round that another process found at fault keeps the fault that was found first", async () => {
  creditAll();
  await change("rounds", "failed_at = 5, failure = 'found before'");
  expect([...work].filter((piece) => piece !== undefined)).toEqual([]);
  expect((await crowd.rows()).round).toMatchObject({ failedAt: 5, failure: "found before", settledAt: null });
});

it("a round that another process has indexed meanwhile keeps the time of that", async () => {
  creditAll();
  work.next();
  await change("rounds", "indexed_at = 5");
  expect([...work].length).toBe(crowd.members.length);
  expect(await crowd.rows()).toMatchObject({ round: { indexedAt: 5 }, ranges: [] });
});

it("how far a round is indexed is noted where its ranges are gone", async () => {
  creditAll();
  work.next();
  await meanwhile(`delete from settle_ranges where round_id = ${crowd.round}`);
  work.next();
  expect((await crowd.rows()).ranges).toMatchObject([{ indexedTo: crowd.members[0] }]);
});

it("a round that is done is not gone through again", async () => {
  expect([...work].length).toBeGreaterThan(1);
  expect([...begin()]).toEqual([]);
  await change("rounds", "indexed_at = null, settled_at = null, failed_at = 1");
  expect([...begin()]).toEqual([]);
});

it("a round that is not drawn is not settled", async () => {
  const [open] = await w.openRounds();
  expect(() => settleRound({ raw, clock: w }, open).next()).toThrow(`round ${open} is not drawn`);
});

it("a round whose payouts were changed meanwhile fails, and is neither settled nor indexed", async () => {
  creditAll();
  await meanwhile(`update payouts set amount = amount + 1 where member_id = ${crowd.members[0]}`);
  expect([...work]).toEqual([{ failed: UNEQUAL }]);
  const { round, index } = await crowd.rows();
  expect(round).toMatchObject({ failure: UNEQUAL, failedAt: w.now(), settledAt: null, indexedAt: null });
  expect(index).toEqual([]);
});

it("how far a round is indexed does not go back where another process is ahead", async () => {
  creditAll();
  expect(work.next().value).toHaveProperty("settled");
  work.next();
  const all = crowd.members.at(-2)!;
  await change("settle_ranges", `indexed_to = ${all}`);
  work.next();
  const { ranges, index } = await crowd.rows();
  expect([ranges.map(({ indexedTo }) => indexedTo), new Set(index.map(({ memberId }) => memberId)).size]).toEqual([
    [all],
    2,
  ]);
});
