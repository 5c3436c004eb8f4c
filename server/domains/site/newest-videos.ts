import { desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videos } from "#db/schema/video.ts";
import type { ShownVideo } from "#shared/video.ts";

/** As many as the home screen recommends. */
const MOST = 8;

export function newestVideos(read: Tx): Promise<ShownVideo[]> {
  const { id, title, durationMs, publishedAt, plays, poster, demo } = videos;
  return read
    .select({ id, title, durationMs, publishedAt, plays, poster, demo })
    .from(videos)
    .orderBy(desc(id))
    .limit(MOST);
}
