import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listingLooks } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import { HOUR_MS } from "#shared/time.ts";

/** Somebody who looks again within this time has not looked anew. */
const ONE_LOOK_MS = HOUR_MS;
/** As many looks as are kept in mind, and as many of one member's as are looked through. */
const MOST_CACHED = 20_000;
const NEWEST = 200;

interface Look {
  memberId: number;
  listingId: number;
}

/**
 * Writes down who saw the private part of which listing, before they see it: nobody looks unwritten, whatever fails.
 * Those who come while others are being written down share the next commit; a second look costs nothing.
 */
export class Looks {
  readonly #deps: Pick<Deps, "db" | "clock">;
  /** When a look was written down, oldest first. */
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

/** Another server may have written it down. */
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
