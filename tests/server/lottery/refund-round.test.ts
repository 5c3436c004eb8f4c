import { afterEach, beforeEach, expect, it } from "vitest";
import { logRounds } from "#db/schema/index.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { refundRound } from "#server/domains/lottery/refund-round.ts";
import { retryRound } from "#server/domains/lottery/retry-round.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import type { World } from "../../support/world.ts";
import { roundOf } from "./failing-world.ts";
import { KEY } from "./rounds-world.ts";
import { closeOf, setRound, twoGames } from "./two-games.ts";

/** A beacon that is signed in hundreds of years. */
const FAR = `${drandMode(QUICKNET)}:9999999999`;

let w: World;
beforeEach(async () => {
  w = await twoGames();
  await w.settle();
});
afterEach(() => w.close());

it("stakes of a round that the log does not know go back only once it is closed", async () => {
  const game = await findGame(w.deps.db.read, KEY);
  const refund = async () => {
    const round = await roundOf(w, 1);
    return w.deps.db.transact((tx) => refundRound(tx, w.deps, game, round));
  };
  await setRound(w, 1, `beacon_rule = '${FAR}'`);
  await w.deps.db.transact((tx) => tx.delete(logRounds));
  expect([await refund(), (await roundOf(w, 1)).refundedAt]).toEqual([false, null]);
  w.pass(57_000);
  expect(await closeOf(w, 1)).toBe(true);
  expect([await refund(), (await roundOf(w, 1)).refundedAt]).toEqual([true, w.now()]);
  expect((await roundOf(w, 2)).refundedAt).toBeNull();
});

it("a round that nobody knows is not tried again", async () => {
  const { day } = await roundOf(w, 1);
  expect(await w.deps.db.transact((tx) => retryRound(tx, 1, { day, number: 1_000 }))).toBeNull();
});
