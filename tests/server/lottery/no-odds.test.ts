import { afterEach, beforeEach, expect, it } from "vitest";
import { rounds } from "#db/schema/index.ts";
import { openRound } from "#server/domains/lottery/open-round.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import type { World } from "../../support/world.ts";
import { KEY } from "./rounds-world.ts";
import { twoGames } from "./two-games.ts";

let w: World;
beforeEach(async () => {
  w = await twoGames();
});
afterEach(() => w.close());

it("a game whose odds are gone opens no round at those of another", async () => {
  const seeds = new Seeds(w.deps.keys);
  const game = await findGame(w.deps.db.read, KEY);
  await publishAnchors(w.deps, seeds, game);
  await withConnection(w.config.database, async (connection) => {
    await unguard(connection);
    await connection.run(`delete from odds where game_id = ${game.id}`);
  });
  await expect(w.deps.db.transact((tx) => openRound(tx, w.deps, seeds, game))).rejects.toThrow("game 1 has no odds");
  expect(await w.deps.db.read.select().from(rounds)).toEqual([]);
});
