import { and, count, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { savedVideos, watchPlaces } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import type { ownVideos } from "#shared/contract/video.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import { Refusal } from "#shared/refusal.ts";
import { readVideo } from "./read-videos.ts";

/** The most videos that a member saves. */
const MOST = 200;

/** Saves a video, or drops it; the same again changes nothing. Throws `object.unknown` and `saved.many`. */
export async function saveVideo(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { memberId, videoId, on }: { memberId: number; videoId: number; on: boolean },
): Promise<void> {
  const isIt = and(eq(savedVideos.memberId, memberId), eq(savedVideos.videoId, videoId));
  if (!on) return void (await tx.delete(savedVideos).where(isIt));
  await readVideo(tx, videoId);
  const [added] = await tx
    .insert(savedVideos)
    .values({ memberId, videoId, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning();
  if (added && (await readSavedIds(tx, memberId)).length > MOST) throw new Refusal("saved.many");
}

export async function readSavedIds(read: Tx, memberId: number): Promise<number[]> {
  const { videoId, createdAt } = savedVideos;
  const rows = await read
    .select({ videoId })
    .from(savedVideos)
    .where(eq(savedVideos.memberId, memberId))
    .orderBy(desc(createdAt), desc(videoId));
  return rows.map((row) => row.videoId);
}

const LISTS = {
  saved: { table: savedVideos, at: savedVideos.createdAt },
  watched: { table: watchPlaces, at: watchPlaces.updatedAt },
} satisfies Record<InputOf<typeof ownVideos>["list"], unknown>;

/** A page of the videos that a member saved or watched, newest first, and how many there are in all. */
export async function readOwn(
  read: Tx,
  { memberId, list }: { memberId: number; list: keyof typeof LISTS },
  { limit, offset }: { limit: number; offset: number },
) {
  const { table, at } = LISTS[list];
  const isTheirs = eq(table.memberId, memberId);
  const rows = await read
    .select({ id: table.videoId, at })
    .from(table)
    .where(isTheirs)
    .orderBy(desc(at), desc(table.videoId))
    .limit(limit)
    .offset(offset);
  const [total] = await read.select({ count: count() }).from(table).where(isTheirs);
  return { rows, count: total!.count };
}

/** Clears what a member watched, and where they stopped. */
export async function forgetVideos(tx: Tx, memberId: number): Promise<void> {
  await tx.delete(watchPlaces).where(eq(watchPlaces.memberId, memberId));
}

/** Keeps a history of what a member watches from now on, or clears it and keeps none; their other devices hear of it. */
export async function keepHistory(
  tx: Tx,
  { announce }: Pick<Deps, "announce">,
  { memberId, on }: { memberId: number; on: boolean },
): Promise<void> {
  await tx.update(members).set({ keepsHistory: on }).where(eq(members.id, memberId));
  if (!on) await forgetVideos(tx, memberId);
  await announce(tx, "history.switched", { memberId, on });
}
