import { isNotNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { MINUTE_GAME, world } from "../../support/world.ts";

/** More than can be told within the time that closing takes. */
const MANY = 200;

it("pushes that are under way end before the database closes", async () => {
  const w = await world();
  await w.game(MINUTE_GAME);
  await w.live(60_000);
  await w.live(60_000);
  const [round] = await w.deps.db.read.select().from(rounds).where(isNotNull(rounds.drawnAt)).limit(1);
  const closed = w.close();
  const about = { gameId: round!.gameId, roundId: round!.id };
  for (let i = 0; i < MANY; i++) w.deps.bus.emit("log.head", { log: 1, size: 1 });
  w.deps.bus.emit("round.drawn", { ...about, by: w.deps.process });
  w.deps.bus.emit("round.settled", about);
  w.deps.bus.emit("round.opened", about);
  await closed;
  expect(w.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
});
