import { eq, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videoCategories, videoPlays, videos, watchPlaces } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import { queuePushToAll } from "#server/domains/account/queue-push.ts";
import type { LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Chapter } from "#shared/video.ts";

type Row = typeof videos.$inferInsert;
/** A new video whose files are all stored. */
type NewVideo = Omit<Row, "id" | "plays" | "publishedAt"> & { publishedAt?: number };

/** Adds a category after the others, or renames the one with this key. */
export async function setCategory(tx: Tx, deps: Pick<Deps, "announce">, key: string, name: LocalText): Promise<void> {
  const [{ last } = { last: null }] = await tx.select({ last: max(videoCategories.position) }).from(videoCategories);
  await tx
    .insert(videoCategories)
    .values({ key, name, position: (last ?? 0) + 1 })
    .onConflictDoUpdate({ target: videoCategories.key, set: { name } });
  await deps.announce(tx, "videos.changed", {});
}

/** Publishes a video in one step, and tells the devices that want new ones. Returns its id; null when it is already there. */
export async function publishVideo(
  tx: Tx,
  { clock, announce }: Pick<Deps, "clock" | "announce">,
  video: NewVideo,
): Promise<number | null> {
  const row = { publishedAt: clock.now(), ...video };
  const [added] = await tx.insert(videos).values(row).onConflictDoNothing().returning({ id: videos.id });
  if (!added) return null;
  await queuePushToAll(tx, clock.now(), "videos", added.id);
  await announce(tx, "videos.changed", {});
  return added.id;
}

/** Replaces the chapters of a video; they are in order and within it. Throws `object.unknown`. */
export async function setChapters(
  tx: Tx,
  deps: Pick<Deps, "announce">,
  id: number,
  chapters: Chapter[],
): Promise<void> {
  const changed = await tx.update(videos).set({ chapters }).where(eq(videos.id, id)).returning({ id: videos.id });
  if (changed.length === 0) throw new Refusal("object.unknown");
  await deps.announce(tx, "videos.changed", {});
}

/**
 * Deletes a video for good, with its plays and watch places. Returns it, so that its files can be removed after the
 * commit. Throws `object.unknown`.
 */
export async function removeVideo(tx: Tx, deps: Pick<Deps, "announce">, id: number) {
  const [video] = await tx.select().from(videos).where(eq(videos.id, id));
  if (!video) throw new Refusal("object.unknown");
  await tx.delete(watchPlaces).where(eq(watchPlaces.videoId, id));
  await tx.delete(videoPlays).where(eq(videoPlays.videoId, id));
  await tx.delete(videos).where(eq(videos.id, id));
  await deps.announce(tx, "videos.changed", {});
  return video;
}
