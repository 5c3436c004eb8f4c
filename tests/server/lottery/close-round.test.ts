import { afterEach, beforeEach, expect, it } from "vitest";
import { gaps } from "#db/schema/lottery.ts";
import { closeEarlyRound } from "#server/domains/lottery/close-round.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { START, type World } from "../../support/world.ts";
import { betSurely, roundOf } from "./failing-world.ts";
import { readsOf } from "./rounds-world.ts";
import { closeOf, twoGames } from "./two-games.ts";

let w: World;
let games: Game[];
const { announced } = readsOf(() => w);

/** Two games, whose first rounds 1 and 2 are open. */
beforeEach(async () => {
  w = await twoGames();
  await w.settle();
  games = await listGames(w.deps.db.read);
});
afterEach(async () => {
  disarm();
  await w.close();
});

const close = (id: number) => closeOf(w, id);
const closeEarly = (id: number) => w.deps.db.transact((tx) => closeEarlyRound(tx, w.deps, games[id - 1]!, id), "fence");
const row = (id: number) => roundOf(w, id);
const told = async () => (await announced("round.closed")).map(({ payload }) => payload);

it("closes a round from the moment on that its bets end, once, and no other with it", async () => {
  const mia = await w.player("mia_1", { balance: 100 });
  await betSurely(mia, "lot_1", "20260302-0001");
  w.pass(56_999);
  expect([await close(1), (await row(1)).closedAt, await told()]).toEqual([false, null, []]);
  w.pass(1);
  expect(await close(1)).toBe(true);
  expect(await row(1)).toMatchObject({ closedAt: w.now(), fromBet: 1, toBet: 1 });
  expect((await row(2)).closedAt).toBeNull();
  w.pass(1_000);
  expect(await close(1)).toBe(false);
  expect((await row(1)).closedAt).toBe(START + 57_000);
  expect(await told()).toEqual([{ gameId: 1, roundId: 1 }]);
});

it("closes nothing where it breaks off", async () => {
  w.pass(57_000);
  arm("round.close:1 throw");
  await expect(close(1)).rejects.toThrow("round.close");
  await expect(closeEarly(1)).rejects.toThrow("round.close");
  expect([(await row(1)).closedAt, await told()]).toEqual([null, []]);
});

it("closes a round early whose draw lies more than two rounds ahead, and no other", async () => {
  w.jump(-MINUTE_MS);
  expect([await closeEarly(1), (await row(1)).closedAt]).toEqual([false, null]);
  w.jump(-1);
  expect(await closeEarly(1)).toBe(true);
  expect(await row(1)).toMatchObject({ closedAt: w.now(), skippedAt: w.now(), indexedAt: w.now(), toBet: 0 });
  expect((await row(2)).closedAt).toBeNull();
  w.jump(-1);
  expect(await closeEarly(1)).toBe(false);
  expect((await row(1)).closedAt).toBe(w.now() + 1);
  expect(await told()).toEqual([{ gameId: 1, roundId: 1 }]);
});

it("keeps a round that was closed early if somebody bet on it, and skips one on whose sister alone somebody bet", async () => {
  const mia = await w.player("mia_1", { balance: 100 });
  await betSurely(mia, "lot_2", "20260302-0001");
  w.jump(-2 * MINUTE_MS);
  expect([await closeEarly(1), await closeEarly(2)]).toEqual([true, true]);
  expect(await row(1)).toMatchObject({ toBet: 1, skippedAt: w.now(), indexedAt: w.now() });
  expect(await row(2)).toMatchObject({ toBet: 1, closedAt: w.now(), skippedAt: null, indexedAt: null });
  expect(await w.deps.db.read.select().from(gaps)).toMatchObject([{ gameId: 1 }]);
  expect(await told()).toEqual([
    { gameId: 1, roundId: 1 },
    { gameId: 2, roundId: 2 },
  ]);
});
