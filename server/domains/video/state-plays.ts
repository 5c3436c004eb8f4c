import { randomBytes } from "node:crypto";
import { and, asc, count, desc, eq, gt, lt, ne } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Db, Tx } from "#db/db.ts";
import { playHours } from "#db/schema/log.ts";
import { videoPlays, videos } from "#db/schema/video.ts";
import { addSaltedLeaf } from "#server/domains/log/member-leaves.ts";
import { SALT_BYTES } from "#server/domains/log/member-salt.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { hashOfContent, NO_LEAF_BEFORE, type Content } from "#shared/log/salted.ts";
import { HOUR_MS } from "#shared/time.ts";
import { videoWireId } from "#shared/video.ts";

type PlayHour = Pick<typeof playHours.$inferSelect, "hour" | "counts" | "previous" | "createdAt">;

/** The plays of an hour as their leaf says them. */
export const playsContent = ({ hour, counts, previous, createdAt: at }: PlayHour): Content<"plays"> => ({
  kind: "plays",
  hour,
  previous,
  counts: counts.map(([video, plays]) => ({ plays, video: videoWireId(video) })),
  at,
});

/** The newest hour whose plays the log states. */
export async function newestPlays(read: Tx): Promise<typeof playHours.$inferSelect | undefined> {
  const [newest] = await read.select().from(playHours).orderBy(desc(playHours.hour)).limit(1);
  return newest;
}

/**
 * States how often each video was opened in the hours that are over and had plays: a leaf for each, which names the one
 * before. The first states all plays so far. Any process may do it at any time.
 */
export async function statePlays(db: Db, now: number): Promise<void> {
  while (await db.transact((tx) => stateNext(tx, now)));
}

async function stateNext(tx: Tx, now: number): Promise<boolean> {
  const before = await newestPlays(tx);
  const hour = await nextHour(tx, before?.hour ?? 0, Math.floor(now / HOUR_MS));
  if (hour === null) return false;
  failpoint("plays.state", hour);
  const counts = before ? await playsOf(tx, hour) : await allPlays(tx, hour);
  const row = { hour, counts, previous: before?.hash ?? NO_LEAF_BEFORE, createdAt: now };
  const salt = randomBytes(SALT_BYTES);
  const hash = hashOfContent(salt, playsContent(row), sha256);
  await tx.insert(playHours).values({ ...row, hash, salt: salt.toString("hex") });
  await addSaltedLeaf(tx, "plays", hash);
  return true;
}

/** The oldest hour after the stated ones and before this one that had plays. */
async function nextHour(tx: Tx, stated: number, thisHour: number): Promise<number | null> {
  const [next] = await tx
    .select({ hour: videoPlays.hour })
    .from(videoPlays)
    .where(and(gt(videoPlays.hour, stated), lt(videoPlays.hour, thisHour)))
    .orderBy(asc(videoPlays.hour))
    .limit(1);
  return next?.hour ?? null;
}

async function playsOf(tx: Tx, hour: number): Promise<[number, number][]> {
  const rows = await tx
    .select({ video: videoPlays.videoId, plays: count() })
    .from(videoPlays)
    .where(eq(videoPlays.hour, hour))
    .groupBy(videoPlays.videoId)
    .orderBy(asc(videoPlays.videoId));
  return rows.map(({ video, plays }) => [video, plays]);
}

/** Plays of the hours after one, by video: no leaf states them yet. */
export async function playsAfter(read: Tx, hour: number): Promise<Map<number, number>> {
  const rows = await read
    .select({ video: videoPlays.videoId, plays: count() })
    .from(videoPlays)
    .where(gt(videoPlays.hour, hour))
    .groupBy(videoPlays.videoId);
  return new Map(rows.map(({ video, plays }) => [video, plays]));
}

/** Each counter without what was counted since. */
async function allPlays(tx: Tx, hour: number): Promise<[number, number][]> {
  const since = await playsAfter(tx, hour);
  const rows = await tx
    .select({ video: videos.id, plays: videos.plays })
    .from(videos)
    .where(ne(videos.plays, 0))
    .orderBy(asc(videos.id));
  return rows.map(({ video, plays }) => [video, plays - (since.get(video) ?? 0)]);
}
