import { eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videos } from "#db/schema/video.ts";
import { Refusal } from "#shared/refusal.ts";
import type { ShownVideo } from "#shared/video.ts";

/** The columns that cards show; the folder is not among them. */
export const SHOWN = {
  id: videos.id,
  categoryId: videos.categoryId,
  title: videos.title,
  durationMs: videos.durationMs,
  publishedAt: videos.publishedAt,
  plays: videos.plays,
  poster: videos.poster,
  demo: videos.demo,
};

export type KnownVideo = ShownVideo & { categoryId: number };

/** The row that a wire id names. Throws `object.unknown` when it is no id of a video. */
export function videoRowOf(id: string): number {
  const [, number] = /^vid_([1-9]\d{0,14})$/.exec(id) ?? [];
  if (number === undefined) throw new Refusal("object.unknown");
  return Number(number);
}

/** The videos with these ids, in the same order. */
export async function readVideos(read: Tx, ids: readonly number[]): Promise<KnownVideo[]> {
  if (ids.length === 0) return [];
  const rows = await read
    .select(SHOWN)
    .from(videos)
    .where(inArray(videos.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Throws `object.unknown`. */
export async function readVideo(read: Tx, id: number): Promise<KnownVideo> {
  const [video] = await read.select(SHOWN).from(videos).where(eq(videos.id, id));
  if (!video) throw new Refusal("object.unknown");
  return video;
}
