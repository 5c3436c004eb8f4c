import type { Tx } from "#db/db.ts";
import { games, odds } from "#db/schema/lottery.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import type { RoundPlace } from "#shared/lottery/schedule.ts";
import { DAY, GAME } from "../admin/audit-round-rows.ts";

/** A game beside the first one, whose rows are no matter of it. */
export const OTHER = { ...GAME, id: 2, key: "k3-b" };

/** The last number of a day. */
export const LAST = 1_440;

/** A place by its day, counted from the first one, and its number. */
export const at = (number: number, days = 0): RoundPlace => ({ day: DAY + days, number });

/** Both games, each with the odds of its own number. */
export async function writeGames(tx: Tx): Promise<void> {
  await tx.insert(games).values([GAME, OTHER]);
  const terms = { milli: [...rulesOf(GAME.kind).odds], createdAt: 1 };
  await tx.insert(odds).values([GAME, OTHER].map(({ id }) => ({ id, gameId: id, ...terms })));
}
