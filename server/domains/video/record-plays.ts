import { createHmac } from "node:crypto";
import { and, eq, lte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { videoPlays, videos } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { HOUR_MS } from "#shared/time.ts";
import { newestPlays } from "./state-plays.ts";

/** The most counted plays cached, to be recognized without the database. */
const MOST_CACHED = 50_000;
/** The longest queue of plays; more are counted at their next request. */
const MOST_WAITING = 10_000;
/** The most plays in one batch. */
const MOST_AT_ONCE = 200;

const viewersKey = perKey((key) => key.derive("video-viewer"));

interface Play {
  hour: number;
  videoId: number;
  viewer: string;
}

/** A play in the queue, and the request that it came with. */
interface Waiting {
  play: Play;
  requestId: string | undefined;
}

/**
 * Counts plays: each viewer once an hour per video, across all servers. It runs in the background: playing neither
 * waits for it nor fails with it. Plays that arrive during a commit share the next batch; a counted play is answered
 * from the cache.
 */
export class Plays {
  readonly #deps: Pick<Deps, "db" | "clock" | "log" | "keys" | "requestId" | "apart">;
  readonly #counted = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  #writing: Promise<void> | null = null;

  constructor(deps: Pick<Deps, "db" | "clock" | "log" | "keys" | "requestId" | "apart">) {
    this.#deps = deps;
  }

  /** A guest's pseudonym, from address and device; the database learns neither. */
  guest({ ip, agent }: { ip: string; agent: string }): string {
    const mac = createHmac("sha256", viewersKey(this.#deps.keys.now)).update(`${ip}\n${agent}`).digest("base64url");
    return `guest ${mac.slice(0, 16)}`;
  }

  /** Queues a play, unless it is already counted. */
  record(videoId: number, viewer: string): void {
    const play = { hour: Math.floor(this.#deps.clock.now() / HOUR_MS), videoId, viewer };
    const name = `${play.hour} ${videoId} ${viewer}`;
    if (this.#counted.has(name) || this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(name, { play, requestId: this.#deps.requestId() });
    this.#writing ??= this.#deps.apart(() => this.#writeAll());
  }

  /** Resolves once the queue is empty. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Plays of the same moment share the first batch too.
    await Promise.resolve();
    while (this.#waiting.size > 0) await this.#write([...this.#waiting].slice(0, MOST_AT_ONCE));
    this.#writing = null;
  }

  async #write(batch: [name: string, waiting: Waiting][]): Promise<void> {
    for (const [name] of batch) this.#waiting.delete(name);
    const plays = batch.map(([, { play }]) => play);
    try {
      await this.#deps.db.transact((tx) => writePlays(tx, plays));
      if (this.#counted.size >= MOST_CACHED) this.#counted.clear();
      for (const [name] of batch) this.#counted.add(name);
    } catch (error) {
      const requestIds = batch.map(([, { requestId }]) => requestId);
      this.#deps.log.error({ err: error, requestIds }, "plays could not be counted");
    }
  }
}

async function writePlays(tx: Tx, waiting: Play[]): Promise<void> {
  const stated = (await newestPlays(tx))?.hour ?? 0;
  // An hour that the log has stated takes no more plays: one that comes late counts in the next.
  const plays = waiting.map((play) => ({ ...play, hour: Math.max(play.hour, stated + 1) }));
  const fresh = await tx.insert(videoPlays).values(plays).onConflictDoNothing().returning();
  const counts = new Map<number, number>();
  for (const { videoId } of fresh) counts.set(videoId, (counts.get(videoId) ?? 0) + 1);
  for (const [videoId, count] of counts) {
    await tx
      .update(videos)
      .set({ plays: sql`${videos.plays} + ${count}` })
      .where(eq(videos.id, videoId));
  }
  await pruneSome(tx, stated, counts.size + 1);
}

/** Deletes plays of stated hours, more than each commit adds, so that they do not pile up. */
async function pruneSome(tx: Tx, stated: number, most: number): Promise<void> {
  const { hour: inHour, videoId } = videoPlays;
  const over = await tx.selectDistinct({ inHour, videoId }).from(videoPlays).where(lte(inHour, stated)).limit(most);
  for (const old of over) await tx.delete(videoPlays).where(and(eq(inHour, old.inHour), eq(videoId, old.videoId)));
}
