import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videos, watchPlaces } from "#db/schema/video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { SHOWN, type KnownVideo } from "./read-videos.ts";

/** Whoever saw less of it has not begun; whoever has less before them has seen it. */
const EDGE_MS = 5 * SECOND_MS;
/** The last of so many parts of a video is its end. */
const PARTS = 20;
const MOST = 12;

/** What a member began and has not seen to the end, the newest first, each with where they stopped. */
export function readWatching(read: Tx, memberId: number): Promise<(KnownVideo & { positionMs: number })[]> {
  const { positionMs, updatedAt, videoId } = watchPlaces;
  return read
    .select({ ...SHOWN, positionMs })
    .from(watchPlaces)
    .innerJoin(videos, eq(videos.id, videoId))
    .where(
      and(
        eq(watchPlaces.memberId, memberId),
        gte(positionMs, EDGE_MS),
        gte(sql`${videos.durationMs} - ${positionMs}`, EDGE_MS),
        sql`${positionMs} * ${PARTS} < ${videos.durationMs} * ${PARTS - 1}`,
      ),
    )
    .orderBy(desc(updatedAt), desc(videoId))
    .limit(MOST);
}
