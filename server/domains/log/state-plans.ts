import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { beaconChanges, games, pauses, rounds, servedApps } from "#db/schema/index.ts";
import { ordinalOf, roundText } from "#shared/lottery/schedule.ts";
import { addLeaf } from "./add-leaf.ts";
import { appLeaf } from "./served-app.ts";

/**
 * States in a log that begins what the house had announced and still acts on: under which beacons games open their rounds,
 * pauses that act or will, and what is served as the app. Each leaf keeps the date of its announcement.
 */
export async function statePlans(tx: Tx): Promise<void> {
  for (const game of await tx.select().from(games).orderBy(asc(games.id))) {
    const modes = await tx
      .select()
      .from(beaconChanges)
      .where(eq(beaconChanges.gameId, game.id))
      .orderBy(asc(beaconChanges.id));
    for (const { mode, fromDay, fromNumber, announcedAt: at } of modes) {
      const from = roundText({ day: fromDay, number: fromNumber });
      await addLeaf(tx, { kind: "beacon", game: game.key, mode, from, at });
    }
    await statePauses(tx, game);
  }
  const [served] = await tx.select().from(servedApps).orderBy(desc(servedApps.id)).limit(1);
  if (served) await addLeaf(tx, appLeaf(served));
}

/** The gap before the next round that opens needs all pauses since the last one, and what was so then. */
async function statePauses(tx: Tx, game: typeof games.$inferSelect): Promise<void> {
  const isOfGame = eq(rounds.gameId, game.id);
  const [last] = await tx.select().from(rounds).where(isOfGame).orderBy(desc(rounds.id)).limit(1);
  const announced = await tx
    .select()
    .from(pauses)
    .where(and(eq(pauses.gameId, game.id), isNotNull(pauses.announcedAt)))
    .orderBy(asc(pauses.id));
  const placeOf = ({ fromDay, fromNumber }: (typeof announced)[number]) => ({ day: fromDay, number: fromNumber });
  const isOver = (row: (typeof announced)[number]) => last && ordinalOf(game, placeOf(row)) <= ordinalOf(game, last);
  const acting = announced.findLast(isOver);
  for (const row of announced.filter((one) => one === acting || !isOver(one))) {
    const stated = { game: game.key, from: roundText(placeOf(row)), at: row.announcedAt! };
    await addLeaf(
      tx,
      row.paused ? { kind: "pause", ...stated, reason: row.reason ?? "" } : { kind: "resume", ...stated },
    );
  }
}
