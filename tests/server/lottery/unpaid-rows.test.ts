import { afterAll, beforeAll, expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { readUnpaidRounds } from "#server/domains/lottery/unpaid-rounds.ts";
import { DAY, GAME, open } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { OTHER, writeGames } from "./two-games-rows.ts";

const NOW = 1_000_000;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

it("rounds are unpaid until they are settled, whatever their game, and overdue ten seconds after their draw", async () => {
  const unpaid = await rows.within(async (tx) => {
    await writeGames(tx);
    const due = (number: number, drawsAt: number, over: object = {}) => open(number, { id: number, drawsAt, ...over });
    await tx
      .insert(rounds)
      .values([
        due(1, NOW - 10_001, { gameId: OTHER.id, oddsId: 2 }),
        due(2, NOW - 10_001, { settledAt: 1 }),
        due(3, NOW - 10_001, { settledAt: 1, indexedAt: 1 }),
        due(4, NOW - 10_001, { indexedAt: 1 }),
        due(5, NOW - 10_000, { failedAt: 1, failure: "why" }),
        due(6, NOW),
        due(7, NOW + 1),
      ]);
    return readUnpaidRounds(tx, NOW);
  });
  const round = (number: number, lateMs: number, over: object = {}) => ({
    key: GAME.key,
    day: DAY,
    number,
    failure: null,
    lateMs,
    isFailed: false,
    isOverdue: false,
    ...over,
  });
  expect(unpaid).toEqual([
    round(1, 10_001, { key: OTHER.key, isOverdue: true }),
    round(5, 10_000, { failure: "why", isFailed: true }),
    round(6, 0),
    round(7, 0),
  ]);
});
