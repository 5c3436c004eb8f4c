import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { gaps, houseEntries, rounds, sessions, spins } from "#db/schema/index.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { add, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const NOW = 1_000_000;
const entry = (id: number, createdAt: number) => ({
  id,
  kind: "bets" as const,
  amount: 1,
  fromId: id,
  toId: id,
  createdAt,
});
const round = (id: number, openedAt: number) => ({
  id,
  gameId: 1,
  day: 1,
  number: id,
  commit: "",
  oddsId: 1,
  openedAt,
  closesAt: 1,
  drawsAt: 1,
  fromBet: 1,
});
const session = (id: number, createdAt: number) => ({
  id,
  memberId: 1,
  tokenHash: `${id}`,
  createdAt,
  lastSeenAt: 1,
  ip: "",
  agent: "",
});
const spin = (id: number, createdAt: number) => ({
  id,
  memberId: 1,
  pairId: 1,
  nonce: id,
  tableId: 1,
  prizeId: "x",
  kind: "points" as const,
  amount: 1,
  price: 1,
  won: true,
  createdAt,
});
const gap = (id: number, createdAt: number, reason: "down" | "clock" = "down") => ({
  id,
  gameId: 1,
  fromDay: 1,
  fromNumber: id,
  toDay: 1,
  toNumber: id,
  reason,
  createdAt,
});

/** For how long a server was idle after a moment. */
const idleSince = (at: number, write: (tx: Tx) => Promise<unknown>) =>
  rows.during(write, async (read) => (await SignsOfLife.read(read, NOW)).idleSince(at));

describe("how long a server has worked on since a moment", () => {
  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ["bets", (tx) => add(tx, houseEntries, entry(1, 500_000))],
    ["a round", (tx) => add(tx, rounds, round(1, 500_000))],
    ["a session", (tx) => add(tx, sessions, session(1, 500_000))],
    ["a spin", (tx) => add(tx, spins, spin(1, 500_000))],
  ])("is told by %s", async (_, write) => {
    expect(await idleSince(350_000, write)).toBe(150);
    expect(await idleSince(349_001, write)).toBe(150);
    expect(await idleSince(349_000, write)).toBe(151);
    expect(await idleSince(380_000, write)).toBeNull();
    expect(await idleSince(379_999, write)).toBe(120);
    expect(await idleSince(500_000, write)).toBeNull();
    expect(await idleSince(900_000, write)).toBeNull();
    expect(await idleSince(-200_000, write)).toBe(700);
  });

  it("is not told by an empty database", async () => {
    expect(await idleSince(-900_000, async () => {})).toBeNull();
  });

  it("is told by the newest row of any", async () => {
    const all = async (tx: Tx) => {
      await add(tx, houseEntries, entry(1, 500_000));
      await add(tx, rounds, round(1, 600_000));
      await add(tx, sessions, session(1, 700_000));
      await add(tx, spins, spin(1, 400_000));
    };
    expect(await idleSince(0, all)).toBe(700);
  });

  it("is told by the row that was added last", async () => {
    const spun =
      (...times: number[]) =>
      (tx: Tx) =>
        add(tx, spins, ...times.map((at, i) => spin(i + 1, at)));
    expect(await idleSince(0, spun(400_000, 500_000))).toBe(500);
    expect(await idleSince(0, spun(500_000, 400_000))).toBe(400);
  });

  it("is not told by rows from a clock that was ahead", async () => {
    const spun =
      (...times: number[]) =>
      (tx: Tx) =>
        add(tx, spins, ...times.map((at, i) => spin(i + 1, at)));
    expect(await idleSince(0, spun(400_000, NOW + 1))).toBe(400);
    expect(await idleSince(0, spun(400_000, NOW))).toBe(1_000);
  });

  it("begins anew after the last time that no server worked", async () => {
    const since = (...some: ReturnType<typeof gap>[]) =>
      idleSince(100_000, async (tx) => {
        await add(tx, spins, spin(1, 900_000));
        await add(tx, gaps, ...some);
      });
    expect(await since(gap(1, 300_000))).toBe(600);
    expect(await since(gap(1, 300_000), gap(2, 200_000))).toBe(600);
    expect(await since(gap(1, 50_000))).toBe(800);
    expect(await since(gap(1, 300_000, "clock"))).toBe(800);
    expect(await since(gap(1, 800_000))).toBeNull();
    expect(await since(gap(1, NOW))).toBeNull();
    expect(await since(gap(1, NOW + 1))).toBe(800);
  });
});
