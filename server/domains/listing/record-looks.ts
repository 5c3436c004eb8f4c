import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listingLooks } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import { HOUR_MS } from "#shared/time.ts";

/** A second look within this time is not recorded again. */
const ONE_LOOK_MS = HOUR_MS;
/** The most looks cached, and how many of a member's newest rows are searched. */
const MOST_CACHED = 20_000;
const NEWEST = 200;

interface Look {
  memberId: number;
  listingId: number;
}

/**
 * Records who sees the private part of which listing, before they see it: no look goes unrecorded, whatever fails.
 * Looks that arrive during a commit share the next one as a batch. A second look is answered from the cache.
 */
export class LookRecorder {
  readonly #deps: Pick<Deps, "db" | "clock">;
  /** When each look was recorded, oldest first. */
  readonly #seen = new Map<string, number>();
  #waiting: Look[] = [];
  #next: Promise<void> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: Pick<Deps, "db" | "clock">) {
    this.#deps = deps;
  }

  async record(look: Look): Promise<void> {
    const name = `${look.memberId} ${look.listingId}`;
    const now = this.#deps.clock.now();
    const seenAt = this.#seen.get(name);
    if (seenAt !== undefined && now - seenAt < ONE_LOOK_MS) return;
    this.#waiting.push(look);
    this.#next ??= this.#afterThose();
    await this.#next;
    this.#seen.delete(name);
    if (this.#seen.size >= MOST_CACHED) this.#seen.delete(this.#seen.keys().next().value!);
    this.#seen.set(name, now);
  }

  #afterThose(): Promise<void> {
    const written = this.#tail.then(() => {
      const looks = this.#waiting;
      this.#waiting = [];
      this.#next = null;
      return this.#deps.db.transact((tx) => writeLooks(tx, looks, this.#deps.clock.now()));
    });
    this.#tail = written.catch(() => {});
    return written;
  }
}

async function writeLooks(tx: Tx, looks: Look[], now: number): Promise<void> {
  for (const look of looks) {
    if (!(await hasLooked(tx, look, now))) await tx.insert(listingLooks).values({ ...look, createdAt: now });
  }
}

/** Another server may have recorded it. */
async function hasLooked(tx: Tx, { memberId, listingId }: Look, now: number): Promise<boolean> {
  const newest = tx
    .select({ listingId: listingLooks.listingId, createdAt: listingLooks.createdAt })
    .from(listingLooks)
    .where(eq(listingLooks.memberId, memberId))
    .orderBy(desc(listingLooks.id))
    .limit(NEWEST)
    .as("newest");
  const [known] = await tx
    .select({ one: sql`1` })
    .from(newest)
    .where(and(eq(newest.listingId, listingId), gt(newest.createdAt, now - ONE_LOOK_MS)))
    .limit(1);
  return known !== undefined;
}
