import { eq, max } from "drizzle-orm";
import { anchors } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { dayOf } from "#shared/time.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/** How many days ahead the anchors are public. */
export const DAYS_AHEAD = 7;

/** Publishes the anchors that are missing, from the game's first day to seven days ahead. */
export async function publishAnchors(deps: Pick<Deps, "db" | "clock">, seeds: Seeds, game: Game): Promise<void> {
  const today = dayOf(deps.clock.now());
  const [{ last } = { last: null }] = await deps.db.read
    .select({ last: max(anchors.day) })
    .from(anchors)
    .where(eq(anchors.gameId, game.id));
  if (last !== null && last >= today + DAYS_AHEAD) return;
  // A server that slept for days leaves none out: each day between has its anchor too.
  for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) {
    const row = { gameId: game.id, day, anchor: seeds.anchorOf(game, day), createdAt: deps.clock.now() };
    await deps.db.transact(async (tx) => {
      await tx.insert(anchors).values(row).onConflictDoNothing();
    });
  }
}
