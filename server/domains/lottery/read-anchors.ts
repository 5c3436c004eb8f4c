import { and, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { anchors, logHeads, logLeaves } from "#db/schema/index.ts";
import { currentLog, shortKey } from "#server/domains/log/add-leaf.ts";
import { leafKey } from "#shared/log/leaf.ts";
import { dayOf, dayText } from "#shared/time.ts";
import type { Game } from "./read-games.ts";

const DAYS_SHOWN = 7;
/** Apps check rounds of a month. */
const DAYS_PLACED = 31;

/** The anchors from the game's first day to seven days ahead, and where the log says them. */
export async function readAnchors(read: Tx, game: Game, now: number) {
  const today = dayOf(now);
  const isShown = and(eq(anchors.gameId, game.id), lte(anchors.day, today + DAYS_SHOWN));
  const rows = await read.select().from(anchors).where(isShown).orderBy(anchors.day);
  const shown = rows.map(({ day, anchor }) => ({ day: dayText(day), anchor, isPlaced: day >= today - DAYS_PLACED }));
  const keyOf = (day: string) => shortKey(leafKey({ kind: "anchor", game: game.key, day, anchor: "" }));
  const places = await placesOf(
    read,
    shown.filter(({ isPlaced }) => isPlaced).map(({ day }) => keyOf(day)),
  );
  return shown.map(({ day, anchor }) => ({ day, anchor, told: places.get(keyOf(day)) ?? null }));
}

/** Leaves of today's log by their keys: each with the first head that holds it, once that was announced. */
async function placesOf(read: Tx, keys: readonly string[]) {
  const first = sql<number>`(select min(h.size) from ${logHeads} h
    where h.log = ${logLeaves.log} and h.size > ${logLeaves.number} and h.announced_at is not null)`;
  const rows = await read
    .select({ key: logLeaves.key, number: logLeaves.number, head: logHeads.size, time: logHeads.at })
    .from(logLeaves)
    .innerJoin(logHeads, and(eq(logHeads.log, logLeaves.log), eq(logHeads.size, first)))
    .where(and(eq(logLeaves.log, currentLog), inArray(logLeaves.key, [...keys]), isNotNull(logLeaves.number)));
  return new Map(rows.map(({ key, number, head, time }) => [key, { number: number!, head, time }]));
}
