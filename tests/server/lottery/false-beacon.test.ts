import { afterEach, beforeEach, expect, it } from "vitest";
import { mayBeSettled } from "#server/domains/lottery/settle-round.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { drawWithoutSettling } from "../../support/ledger.ts";
import { beforeNextWrite } from "../../support/meanwhile.ts";
import type { World } from "../../support/world.ts";
import { readsOf } from "./rounds-world.ts";
import { roundOf } from "./failing-world.ts";
import { setRound, twoGames } from "./two-games.ts";

let w: World;
const { announced } = readsOf(() => w);

/** A drawn round whose beacon is none that its rule allows. */
beforeEach(async () => {
  w = await twoGames();
  await w.live(1_000);
  w.pass(MINUTE_MS);
  await drawWithoutSettling(w);
  await setRound(w, 1, "beacon = 'chosen'");
});
afterEach(() => w.close());

const failures = async () => (await announced("round.failed")).map(({ payload }) => payload);

it("a round that fails is told at once", async () => {
  expect([await mayBeSettled(w.deps, 1), await failures()]).toEqual([false, [{ gameId: 1, roundId: 1 }]]);
});

it("a round that another server settled meanwhile neither fails nor is told", async () => {
  beforeNextWrite(w, () => setRound(w, 1, "settled_at = 1"));
  await mayBeSettled(w.deps, 1);
  expect([(await roundOf(w, 1)).failedAt, await failures()]).toEqual([null, []]);
});
