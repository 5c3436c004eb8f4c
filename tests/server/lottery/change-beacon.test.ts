import { afterEach, beforeEach, expect, it } from "vitest";
import { beaconChanges, logLeaves } from "#db/schema/index.ts";
import { advanceGames } from "#server/domains/lottery/advance.ts";
import { changeBeacon, changeBeacons } from "#server/domains/lottery/change-beacon.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { drandMode, NO_BEACON, QUICKNET } from "#shared/lottery/beacon.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { MINUTE_GAME, START, world, type World } from "../../support/world.ts";
import { advancing } from "./advancing.ts";
import { KEY, readsOf } from "./rounds-world.ts";

const DRAND = drandMode(QUICKNET);
let w: World;
beforeEach(async () => {
  w = await world();
  await w.game();
});
afterEach(() => w.close());

/** What was announced of games since the first was added. */
const announced = async () => (await readsOf(() => w).announced("game.changed")).slice(1).map(({ payload }) => payload);
const change = async (mode: string, key = KEY) => {
  const { db } = w.deps;
  const game = await findGame(db.read, key);
  return db.transact((tx) => changeBeacon(tx, w.deps, game, mode));
};
const rows = () => w.deps.db.read.select().from(beaconChanges);
const leaves = async () =>
  (await w.deps.db.read.select().from(logLeaves))
    .map(({ text }) => parseLeaf(text!))
    .filter((leaf) => leaf?.kind === "beacon");

it("a game that follows no beacon cannot be told to follow none", async () => {
  expect(await change(NO_BEACON)).toBeNull();
  expect([await rows(), await leaves(), await announced()]).toEqual([[], [], []]);
});

it("a game is announced to follow a beacon from the round after next on, in the log and to every process, once", async () => {
  const from = (await change(DRAND))!;
  expect(roundText(from)).toBe("20260302-0003");
  expect(await rows()).toMatchObject([{ gameId: 1, fromNumber: 3, mode: DRAND, announcedAt: START }]);
  expect(await leaves()).toMatchObject([{ game: KEY, mode: DRAND, from: roundText(from), at: START }]);
  expect(await announced()).toEqual([{ gameId: 1 }]);
  expect(await change(DRAND)).toBeNull();
  expect([await rows(), await announced()].map(({ length }) => length)).toEqual([1, 1]);
  expect(await change(NO_BEACON)).not.toBeNull();
  expect((await rows()).map(({ mode }) => mode)).toEqual([DRAND, NO_BEACON]);
});

it("all games are changed at once, but for those that were", async () => {
  await w.game({ ...MINUTE_GAME, key: "k3-b" });
  await change(DRAND, "k3-b");
  const all = () => w.deps.db.transact((tx) => changeBeacons(tx, w.deps, DRAND));
  expect(await all()).toEqual([{ game: KEY, from: "20260302-0003" }]);
  expect(await all()).toEqual([]);
});

it("a round that a clock ahead has opened is played as it was promised, and is no matter of another game", async () => {
  await w.game({ ...MINUTE_GAME, key: "k3-b" });
  const { db } = w.deps;
  const ahead = await findGame(db.read, "k3-b");
  w.jump(2 * MINUTE_MS);
  const seeds = new Seeds(w.deps.keys);
  await advanceGames(w.deps, seeds, [ahead], advancing(w.deps, seeds, []));
  w.jump(-2 * MINUTE_MS);
  expect(await change(DRAND, "k3-b")).toMatchObject({ number: 4 });
  expect(await change(DRAND)).toMatchObject({ number: 3 });
});
