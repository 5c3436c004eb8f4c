import { createHmac } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { videoPlays, videos } from "#db/schema/video.ts";
import type { Deps } from "#server/deps.ts";
import { HOUR_MS } from "#shared/time.ts";

/** So many that were counted are kept in mind, to be asked about without the database. */
const MOST_KEPT = 50_000;

interface Play {
  hour: number;
  videoId: number;
  viewer: string;
}

/**
 * Counts who opens a video, a viewer once in an hour, whichever server they ask. Those who come while others are being
 * written down share the next commit; who is counted already costs nothing.
 */
export class Plays {
  readonly #deps: Pick<Deps, "db" | "clock">;
  readonly #key: Buffer;
  readonly #counted = new Set<string>();
  #waiting: Play[] = [];
  #next: Promise<void> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: Pick<Deps, "db" | "clock" | "keys">) {
    this.#deps = deps;
    this.#key = deps.keys.derive("video-viewer");
  }

  /** Who a guest is, as far as their device tells; the database learns neither address nor device. */
  guest({ ip, agent }: { ip: string; agent: string }): string {
    const mac = createHmac("sha256", this.#key).update(`${ip}\n${agent}`).digest("base64url");
    return `guest ${mac.slice(0, 16)}`;
  }

  /** Says whether it may have been counted; false when this server knows that it was before. */
  async record(videoId: number, viewer: string): Promise<boolean> {
    const play = { hour: Math.floor(this.#deps.clock.now() / HOUR_MS), videoId, viewer };
    const name = `${play.hour} ${videoId} ${viewer}`;
    if (this.#counted.has(name)) return false;
    this.#waiting.push(play);
    this.#next ??= this.#afterThose();
    await this.#next;
    if (this.#counted.size >= MOST_KEPT) this.#counted.clear();
    this.#counted.add(name);
    return true;
  }

  #afterThose(): Promise<void> {
    const written = this.#tail.then(() => {
      const plays = this.#waiting;
      this.#waiting = [];
      this.#next = null;
      return this.#deps.db.transact((tx) => writePlays(tx, plays));
    });
    this.#tail = written.catch(() => {});
    return written;
  }
}

async function writePlays(tx: Tx, plays: Play[]): Promise<void> {
  const fresh = await tx.insert(videoPlays).values(plays).onConflictDoNothing().returning();
  const counts = new Map<number, number>();
  for (const { videoId } of fresh) counts.set(videoId, (counts.get(videoId) ?? 0) + 1);
  for (const [videoId, count] of counts) {
    await tx
      .update(videos)
      .set({ plays: sql`${videos.plays} + ${count}` })
      .where(eq(videos.id, videoId));
  }
  await forgetSome(tx, Math.min(...plays.map(({ hour }) => hour)));
}

/** Forgets who opened one video in an hour that is over: more than each commit adds, so that nothing piles up. */
async function forgetSome(tx: Tx, hour: number): Promise<void> {
  const { hour: inHour, videoId } = videoPlays;
  const [old] = await tx.select({ inHour, videoId }).from(videoPlays).where(lt(inHour, hour)).limit(1);
  if (old) await tx.delete(videoPlays).where(and(eq(inHour, old.inHour), eq(videoId, old.videoId)));
}
