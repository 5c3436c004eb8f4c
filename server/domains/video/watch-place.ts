import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { watchPlaces } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { readVideo } from "./read-videos.ts";

interface Watched {
  memberId: number;
  videoId: number;
}

/** Where a member stopped watching; 0 when they never began. Throws `object.unknown`. */
export async function readWatchPlace(read: Tx, { memberId, videoId }: Watched): Promise<number> {
  await readVideo(read, videoId);
  const [place] = await read
    .select({ positionMs: watchPlaces.positionMs })
    .from(watchPlaces)
    .where(and(eq(watchPlaces.memberId, memberId), eq(watchPlaces.videoId, videoId)));
  return place?.positionMs ?? 0;
}

/** Stores where a member stopped, at most the video's end; nothing if they keep no history. Throws `object.unknown`. */
export async function setWatchPlace(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  watched: Watched & { positionMs: number },
): Promise<void> {
  const { durationMs } = await readVideo(tx, watched.videoId);
  const { keepsHistory } = await readMember(tx, watched.memberId);
  if (!keepsHistory) return;
  const set = { positionMs: Math.min(watched.positionMs, durationMs), updatedAt: clock.now() };
  await tx
    .insert(watchPlaces)
    .values({ ...watched, ...set })
    .onConflictDoUpdate({ target: [watchPlaces.memberId, watchPlaces.videoId], set });
}
