import { afterEach, beforeEach, expect, it } from "vitest";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import type { World } from "../../support/world.ts";
import { KEY } from "./rounds-world.ts";
import { twoGames } from "./two-games.ts";

let w: World;
beforeEach(async () => {
  w = await twoGames();
  await w.settle();
});
afterEach(() => w.close());

const GET = { method: "GET" } as const;

it("a game that was paused before shows the reason of the pause that acts now", async () => {
  const game = await findGame(w.deps.db.read, KEY);
  for (const [paused, said] of [
    [true, "Repairs"],
    [false, "Done"],
    [true, "Repairs again"],
  ] as const)
    await w.deps.db.transact((tx) => pauseGame(tx, w.deps, game, { paused, reason: { en_us: said } }));
  const { data } = await w.call("/Lottery/getLotteryInfo", { key: KEY }, GET);
  expect(data.pause_reason).toBe("Repairs again");
});

it("games of a class that there is not are refused, and are no empty list", async () => {
  expect((await w.call("/Lottery/lotteryList", { class: "k3" }, GET)).data).toHaveLength(2);
  expect(await w.call("/Lottery/lotteryList", { class: "k4" }, GET)).toMatchObject({
    code: 404,
    data: { reason: "object.unknown" },
  });
});
