import { and, eq, max } from "drizzle-orm";
import { anchors } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { dayOf, dayText } from "#shared/time.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/** Anchors are in the log so many days ahead: one more than are shown, so that none is ever younger than seven whole days. */
const DAYS_AHEAD = 8;

/**
 * Publishes missing anchors, from the game's first day to eight days ahead. It also publishes today's anchor if the clock
 * went back to before the first day.
 */
export async function publishAnchors(deps: Pick<Deps, "db" | "clock">, seeds: Seeds, game: Game): Promise<void> {
  const { read } = deps.db;
  const today = dayOf(deps.clock.now());
  const isOfGame = eq(anchors.gameId, game.id);
  const [{ last } = { last: null }] = await read
    .select({ last: max(anchors.day) })
    .from(anchors)
    .where(isOfGame);
  const isToday = and(isOfGame, eq(anchors.day, today));
  const [known] = await read.select({ day: anchors.day }).from(anchors).where(isToday);
  const days = new Set<number>();
  // After days of downtime, every day in between gets its anchor too.
  for (let day = last === null ? today : last + 1; day <= today + DAYS_AHEAD; day++) days.add(day);
  if (!known) days.add(today);
  for (const day of days) {
    const row = { gameId: game.id, day, anchor: seeds.anchorOf(game, day), createdAt: deps.clock.now() };
    await deps.db.transact(async (tx) => {
      const [added] = await tx.insert(anchors).values(row).onConflictDoNothing().returning({ day: anchors.day });
      if (added) await addLeaf(tx, { kind: "anchor", game: game.key, day: dayText(day), anchor: row.anchor });
    });
  }
}
