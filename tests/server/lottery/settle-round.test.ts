import { afterEach, beforeEach, expect, it } from "vitest";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { mayBeSettled, ROUND_FAILED, settleRound } from "#server/domains/lottery/settle-round.ts";
import { FALSE_BEACON } from "#server/domains/lottery/settle.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { drawWithoutSettling } from "../../support/ledger.ts";
import type { Player, World } from "../../support/world.ts";
import { betSurely, roundOf } from "./failing-world.ts";
import { setRound, twoGames } from "./two-games.ts";

let w: World;
let players: Player[];
beforeEach(async () => {
  w = await twoGames();
  players = await Promise.all(["mia_1", "leo_1"].map((name) => w.player(name, { balance: 100 })));
  await w.live(1_000);
  for (const player of players) await betSurely(player, "lot_1", "20260302-0001");
  w.pass(MINUTE_MS);
  await drawWithoutSettling(w);
});
afterEach(() => w.close());

/** What is said while the first round is settled, and the lines of the log of it. */
async function said() {
  const events: unknown[] = [];
  w.deps.bus.on("round.counted", ({ roundId, bettors }) => void events.push(["counted", roundId, [...bettors]]));
  w.deps.bus.on("round.credited", ({ roundId, outcomes }) =>
    outcomes.forEach(({ memberId, win }) => events.push(["credited", roundId, memberId, win])),
  );
  w.logged.length = 0;
  await settleRound(w.deps, betBookOf(w.deps.db), 1);
  const lines = w.logged.map((line) => JSON.parse(line)).filter(({ roundId }) => roundId === 1);
  return { events, lines };
}

it("says who bet on it, what each of them won, and what came of it in all", async () => {
  const ids = players.map(({ memberId }) => memberId);
  const { events, lines } = await said();
  expect(events).toEqual([["counted", 1, ids], ...ids.map((id) => ["credited", 1, id, 1_950])]);
  expect(lines).toMatchObject([{ msg: "round settled", bets: 2, members: 2, staked: 4_000, paid: 3_900 }]);
});

it("says in the log alone that it failed", async () => {
  await setRound(w, 1, "beacon = 'chosen'");
  const { events, lines } = await said();
  expect(events).toEqual([]);
  expect(lines).toMatchObject([{ msg: ROUND_FAILED, failure: FALSE_BEACON }]);
  expect(await roundOf(w, 1)).toMatchObject({ failure: FALSE_BEACON, failedAt: w.now(), settledAt: null });
});

it("a settled round is indexed, and not tried for ever, though its beacon was changed", async () => {
  await settleRound(w.deps, betBookOf(w.deps.db), 1);
  const { settledAt } = await roundOf(w, 1);
  await setRound(w, 1, "beacon = 'chosen', indexed_at = null");
  expect(await mayBeSettled(w.deps, 1)).toBe(true);
  await w.live(1_000);
  expect(await roundOf(w, 1)).toMatchObject({ settledAt, indexedAt: w.now(), failedAt: null });
});
