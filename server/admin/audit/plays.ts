import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logLeaves, playHours, videos } from "#db/schema/index.ts";
import { currentLog } from "#server/domains/log/add-leaf.ts";
import { saltedKey } from "#server/domains/log/member-leaves.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { newestPlays, playsAfter, playsContent } from "#server/domains/video/state-plays.ts";
import { hashOfContent, NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type PlayHour = typeof playHours.$inferSelect;

/** Hours that are read at once. */
const AT_ONCE = 200;

/**
 * Compares each video's counter with the plays that the log states, hour by hour, and those since. Each hour has the hash
 * of its content, names the hour before, and stands in a log.
 */
export async function auditPlays(read: Tx, found: Findings): Promise<void> {
  const stated = await sumHours(read, found);
  const newest = await newestPlays(read);
  if (newest) await checkBound(read, newest, found);
  const since = await playsAfter(read, newest?.hour ?? 0);
  const page = (after: number, limit: number) =>
    read
      .select({ id: videos.id, plays: videos.plays })
      .from(videos)
      .where(gt(videos.id, after))
      .orderBy(asc(videos.id))
      .limit(limit);
  for await (const { id, plays } of inPages(page)) {
    const [said, more] = [stated.get(id) ?? 0, since.get(id) ?? 0];
    // Before the first leaf, rows of old hours were deleted unstated.
    const isSum = newest ? plays === said + more : plays >= more;
    found.check(
      isSum,
      () => `video ${id}: its play counter is ${plays}, the log states ${said}, and ${more} came since`,
    );
  }
}

async function sumHours(read: Tx, found: Findings): Promise<Map<number, number>> {
  const sums = new Map<number, number>();
  let previous = NO_LEAF_BEFORE;
  for (let last: PlayHour | undefined; ;) {
    const rows: PlayHour[] = await read
      .select()
      .from(playHours)
      .where(last && gt(playHours.hour, last.hour))
      .orderBy(asc(playHours.hour))
      .limit(AT_ONCE);
    await checkLogged(read, rows, found);
    for (const row of rows) {
      found.check(row.previous === previous, () => `${nameOf(row)} do not follow those of the hour before`);
      found.check(isHashed(row), () => `${nameOf(row)}: their hash is not that of their counts`);
      previous = row.hash;
      for (const [video, plays] of row.counts) sums.set(video, (sums.get(video) ?? 0) + plays);
    }
    if (rows.length < AT_ONCE) return sums;
    last = rows.at(-1);
  }
}

/** The log of today states the newest hour, which names those before. */
async function checkBound(read: Tx, newest: PlayHour, found: Findings): Promise<void> {
  const isBound = and(eq(logLeaves.log, currentLog), eq(logLeaves.key, saltedKey("plays", newest.hash)));
  const [leaf] = await read.select({ id: logLeaves.id }).from(logLeaves).where(isBound);
  found.check(leaf !== undefined, () => `the log of today does not state ${nameOf(newest)}`);
}

const nameOf = ({ hour }: PlayHour) => `the plays of hour ${hour}`;

function isHashed(row: PlayHour): boolean {
  try {
    return hashOfContent(Buffer.from(row.salt, "hex"), playsContent(row), sha256) === row.hash;
  } catch {
    return false;
  }
}

async function checkLogged(read: Tx, rows: readonly PlayHour[], found: Findings): Promise<void> {
  const keys = new Map(rows.map((row) => [saltedKey("plays", row.hash), row]));
  const logged = await read
    .select({ key: logLeaves.key })
    .from(logLeaves)
    .where(inArray(logLeaves.key, [...keys.keys()]));
  for (const { key } of logged) keys.delete(key);
  for (const row of keys.values()) found.check(false, () => `${nameOf(row)} stand in no log`);
}
