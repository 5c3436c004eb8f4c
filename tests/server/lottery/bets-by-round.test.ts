import { afterEach, beforeEach, expect, it } from "vitest";
import { bets } from "#db/schema/index.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Player, World } from "../../support/world.ts";
import { twoGames } from "./two-games.ts";

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await twoGames();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

/** What a bet on a round of a game is answered with. */
async function place(number: number, lid = "lot_1") {
  const expect = `20260302-000${number}`;
  const { code, data } = await mia.call("/game/placeOrder", { item: "A", money: "10", lid, mid: "", expect });
  return code === 200 ? data.expect : (data as unknown as { reason: string }).reason;
}

it("a bet is taken for the round that it names, and only while that one takes bets", async () => {
  for (const number of [1, 2, 3]) {
    for (const lid of ["lot_1", "lot_2", "lot_1"]) {
      expect(await place(number, lid)).toBe(`20260302-000${number}`);
      expect(await place(number - 1, lid)).toBe("round.closed");
      expect(await place(number + 1, lid)).toBe("round.closed");
    }
    await w.live(MINUTE_MS);
  }
  const taken = await w.deps.db.read.select().from(bets).orderBy(bets.id);
  // The first rounds of the two games are 1 and 2, and so on.
  expect(taken.map(({ roundId }) => roundId)).toEqual([1, 2, 1, 3, 4, 3, 5, 6, 5]);
});

it("a bet on no round at all is refused as one on a closed round", async () => {
  expect(await place(0)).toBe("round.closed");
});
