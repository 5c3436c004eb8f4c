import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videos, watchPlaces } from "#db/schema/video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { SHOWN, type KnownVideo } from "./read-videos.ts";

/** A video counts as begun after this long, and as finished this long before its end. */
const EDGE_MS = 5 * SECOND_MS;
/** The last twentieth of a video counts as its end. */
const PARTS = 20;
const MOST = 12;

/**
 * The videos a member began and can go on with, latest first, with where they stopped. `freeMs` is how much of each they
 * may watch; null is all of it.
 */
export function readWatching(
  read: Tx,
  { memberId, freeMs }: { memberId: number; freeMs: number | null },
): Promise<(KnownVideo & { positionMs: number })[]> {
  const { positionMs, updatedAt, videoId } = watchPlaces;
  return read
    .select({ ...SHOWN, positionMs })
    .from(watchPlaces)
    .innerJoin(videos, eq(videos.id, videoId))
    .where(
      and(
        eq(watchPlaces.memberId, memberId),
        gte(positionMs, EDGE_MS),
        freeMs === null ? undefined : lte(positionMs, freeMs - EDGE_MS),
        gte(sql`${videos.durationMs} - ${positionMs}`, EDGE_MS),
        sql`${positionMs} * ${PARTS} < ${videos.durationMs} * ${PARTS - 1}`,
      ),
    )
    .orderBy(desc(updatedAt), desc(videoId))
    .limit(MOST);
}
