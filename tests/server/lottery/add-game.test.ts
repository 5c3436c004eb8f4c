import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { games, odds } from "#db/schema/lottery.ts";
import { addGame, type NewGame } from "#server/domains/lottery/add-game.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

const add = (game: Partial<NewGame>) =>
  w.deps.db.transact((tx) => addGame(tx, w.deps, { key: "k3-1m", name: "A game", periodS: 60, closeS: 3, ...game }));
const all = async () => [await w.deps.db.read.select().from(games), await w.deps.db.read.select().from(odds)];

describe("a new game", () => {
  it("has the odds, the icon and the timetable of its kind", async () => {
    await add({ kind: "dice-pair", key: "a".repeat(32), periodS: 10, closeS: 2 });
    const [[game], [rates]] = (await all()) as [(typeof games.$inferSelect)[], (typeof odds.$inferSelect)[]];
    const { odds: milli, classKey } = rulesOf("dice-pair");
    expect(game).toMatchObject({ kind: "dice-pair", periodS: 10, closeS: 2, icon: `/icons/${classKey}.svg` });
    expect(rates).toMatchObject({ gameId: game!.id, milli });
  });

  it.each([
    [{ key: "" }, "KEY must have"],
    [{ key: "a".repeat(33) }, "KEY must have"],
    [{ key: "K3" }, "KEY must have"],
    [{ key: "k3_1" }, "KEY must have"],
    [{ periodS: 7 }, "--period must be"],
    [{ periodS: 8 }, "--period must be"],
    [{ closeS: 1 }, "--period must be"],
    [{ closeS: 60 }, "--period must be"],
    [{ kind: "dice-none" }, "dice-none"],
  ])("is refused with %j, and leaves nothing", async (wrong, why) => {
    await expect(add(wrong)).rejects.toThrow(why);
    expect(await all()).toEqual([[], []]);
  });

  it("is refused where its key is another's, and changes nothing of that one", async () => {
    await add({});
    const before = await all();
    await expect(add({ name: "Another", periodS: 30 })).rejects.toThrow("There already is a game k3-1m.");
    expect(await all()).toEqual(before);
  });
});
