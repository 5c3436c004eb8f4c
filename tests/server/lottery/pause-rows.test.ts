import { afterAll, beforeAll, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { pauses, rounds } from "#db/schema/lottery.ts";
import { listPauses, pausesByKey, pauseView } from "#server/domains/lottery/read-pauses.ts";
import { retryRound } from "#server/domains/lottery/retry-round.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { DAY, GAME, open } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { OTHER, writeGames } from "./two-games-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const within = <T>(work: (tx: Tx) => Promise<T>) =>
  rows.within(async (tx) => {
    await writeGames(tx);
    return work(tx);
  });
const pause = (gameId: number, number: number, paused: boolean, reason: Record<string, string> | null = null) => ({
  gameId,
  fromDay: DAY,
  fromNumber: number,
  paused,
  reason,
  announcedAt: number,
});
const name = (number: number) => roundText({ day: DAY, number });

it("a game's pauses are listed in the order in which they were announced, with their reasons", async () => {
  await within(async (tx) => {
    await tx
      .insert(pauses)
      .values([pause(OTHER.id, 1, true), pause(GAME.id, 9, true, { en_us: "Repairs" }), pause(GAME.id, 4, false)]);
    const found = await listPauses(tx, GAME, "en_us");
    expect(found).toMatchObject([
      { from: name(9), paused: true, reason: "Repairs", announced: 9 },
      { from: name(4), paused: false, reason: null, announced: 4 },
    ]);
    expect((await pausesByKey(tx).execute({ key: GAME.key })).map(({ fromNumber }) => fromNumber)).toEqual([9, 4]);
    expect((await pausesByKey(tx).execute({ key: OTHER.key })).map(({ fromNumber }) => fromNumber)).toEqual([1]);
  });
});

it("a pause is shown with the round that opens again, where somebody has said so", () => {
  expect(pauseView(null)).toBeNull();
  const [from, until] = [9, 12].map((number) => ({ day: DAY, number }));
  expect(pauseView({ from: from!, until: null })).toEqual({ from: name(9), until: null });
  expect(pauseView({ from: from!, until: until! })).toEqual({ from: name(9), until: name(12) });
});

it("a round that failed is retried, and no other, by its game, day and number", async () => {
  await within(async (tx) => {
    const failed = { failedAt: 1 };
    await tx
      .insert(rounds)
      .values([
        open(3, { id: 1, gameId: OTHER.id, oddsId: 2, ...failed, failure: "the other game's" }),
        open(3, { id: 2, day: DAY - 1, ...failed, failure: "of another day" }),
        open(4, { id: 3, ...failed, failure: "of another number" }),
        open(3, { id: 4, ...failed, failure: "its own" }),
        open(5, { id: 5 }),
      ]);
    const failures = async () => (await tx.select().from(rounds).orderBy(rounds.id)).map(({ failure }) => failure);
    const all = await failures();
    expect(await retryRound(tx, GAME.id, { day: DAY, number: 5 })).toBeNull();
    expect(await failures()).toEqual(all);
    expect(await retryRound(tx, GAME.id, { day: DAY, number: 3 })).toBe("its own");
    expect(await failures()).toEqual([...all.slice(0, 3), null, null]);
    expect((await tx.select().from(rounds).orderBy(rounds.id)).map(({ failedAt }) => failedAt)).toEqual([
      1,
      1,
      1,
      null,
      null,
    ]);
    expect(await retryRound(tx, GAME.id, { day: DAY, number: 3 })).toBeNull();
  });
});
