import { afterEach, beforeEach, expect, it } from "vitest";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { readBetIds } from "#server/domains/lottery/read-orders.ts";
import { rounds } from "#db/schema/lottery.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { KEY } from "./rounds-world.ts";

let w: World;
let [mia, leo]: Player[] = [];
/** Bets 1 to 3 are settled, 4 to 6 wait; 1, 3, 4 and 6 are hers. */
beforeEach(async () => {
  w = await world();
  await w.game();
  [mia, leo] = [await w.player("mia_1", { balance: 1_000 }), await w.player("leo_1", { balance: 1_000 })];
  await w.live(1_000);
  for (const _ of [1, 2]) {
    for (const player of [mia, leo, mia]) await bet(w, player, 10, "A,B");
    if (_ === 1) await w.live(MINUTE_MS);
  }
});
afterEach(() => w.close());

const asked = async (input: Record<string, string>, player = mia!) => {
  const { code, data } = await player.call("/member/getUserGameList", input, { method: "GET" });
  return code === 200 ? data.map(({ id }) => id) : [code, data];
};

it("one order is found by its number, settled or waiting, and stands alone", async () => {
  for (const id of ["bet_1", "bet_3", "bet_4", "bet_6"]) expect(await asked({ id })).toEqual([id]);
});

it("another member's order is unknown, and so is one that there is not", async () => {
  const unknown = [404, { reason: "object.unknown" }];
  for (const id of ["bet_2", "bet_5", "bet_99", "bet_x", "x"]) expect(await asked({ id })).toEqual(unknown);
  expect(await asked({ id: "bet_2" }, leo)).toEqual(["bet_2"]);
});

it("all orders come newest first, page by page, whether they wait or are settled", async () => {
  const all = ["bet_6", "bet_4", "bet_3", "bet_1"];
  expect(await asked({})).toEqual(all);
  for (const limit of [1, 2, 3, 4])
    for (let page = 1; page <= 5; page++)
      expect([limit, page, await asked({ limit: String(limit), page: String(page) })]).toEqual([
        limit,
        page,
        all.slice((page - 1) * limit, page * limit),
      ]);
});

it("the bets of a round that waits are named newest first", async () => {
  const game = await findGame(w.deps.db.read, KEY);
  const [, round] = await w.deps.db.read.select().from(rounds).orderBy(rounds.id);
  expect(await readBetIds(w.deps.db.read, { game, round: round! }, mia!.memberId)).toEqual(["bet_6", "bet_4"]);
});
