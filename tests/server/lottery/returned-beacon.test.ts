import { afterEach, beforeEach, expect, it } from "vitest";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { FALSE_BEACON } from "#server/domains/lottery/settle.ts";
import type { World } from "../../support/world.ts";
import { betSurely, roundOf } from "./failing-world.ts";
import { closeOf, setRound, twoGames } from "./two-games.ts";

let w: World;
beforeEach(async () => {
  w = await twoGames();
  const mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
  await betSurely(mia, "lot_1", "20260302-0001");
  w.pass(56_000);
  await closeOf(w, 1);
});
afterEach(() => w.close());

async function settle(): Promise<SettlePiece[]> {
  const pieces: SettlePiece[] = [];
  await betBookOf(w.deps.db).settle(1, (piece) => pieces.push(piece));
  return pieces;
}

it("stakes do not go back while anything is mixed into a draw that there is not", async () => {
  await setRound(w, 1, "refunded_at = 1");
  for (const mixed of ["beacon", "beacon_signature"]) {
    await setRound(w, 1, `${mixed} = 'chosen'`);
    expect(await settle()).toEqual([{ failed: FALSE_BEACON }]);
    await setRound(w, 1, `${mixed} = '', failed_at = null, failure = null`);
  }
  expect(await settle()).toContainEqual({ settled: { bets: 1, members: 1, staked: 2_000, paid: 2_000 } });
  expect((await roundOf(w, 1)).failedAt).toBeNull();
});
