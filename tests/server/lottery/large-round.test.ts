import { expect, it } from "vitest";
import { payouts, rounds } from "#db/schema/index.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { orderOf, SURE } from "./book-world.ts";
import { twoGames } from "./two-games.ts";

/** More than a page of bets, and than is sent at once. */
const MANY = 2_300;

it("a round of many pages of bets is counted once, beside another game's bets", async () => {
  const w = await twoGames();
  const [mia, leo] = [await w.player("mia_1", { balance: 100_000 }), await w.player("leo_1", { balance: 100_000 })];
  await w.live(1_000);
  await bet(w, mia, 10, "A,B");
  for (let placed = 0; placed < MANY; placed += 460) {
    const orders = Array.from({ length: 460 }, (_, i) => orderOf(leo.memberId, 1 + (i % 2), { ...SURE }));
    await betBookOf(w.deps.db).place(orders);
  }
  await bet(w, mia, 10, "A,B");
  await w.live(MINUTE_MS);
  const [first, other] = await w.deps.db.read.select().from(rounds).orderBy(rounds.id);
  const each = 2 * SURE.stake;
  expect(first).toMatchObject({ betCount: MANY / 2 + 2, staked: (MANY / 2 + 2) * each, failedAt: null });
  expect(other).toMatchObject({ betCount: MANY / 2, staked: (MANY / 2) * each, failedAt: null });
  const paid = await w.deps.db.read.select().from(payouts).orderBy(payouts.roundId, payouts.memberId);
  const won = first!.paid / (MANY / 2 + 2);
  expect(paid.map(({ roundId, memberId, amount }) => [roundId, memberId, amount])).toEqual([
    [1, mia.memberId, 2 * won],
    [1, leo.memberId, (MANY / 2) * won],
    [2, leo.memberId, other!.paid],
  ]);
  await w.close();
});
