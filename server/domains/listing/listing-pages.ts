import type { Tx } from "#db/db.ts";
import { DatabaseCache } from "#db/database-cache.ts";
import type { ListingChanges } from "./changes.ts";
import { countQuery, placesAfter, type Place, type SortedList } from "./sorted-places.ts";

/** As many places as are kept of one list. */
const MOST_PLACES = 10_000;

export interface Page {
  limit: number;
  offset: number;
}

/** What is known of one list until it changes: how long it is, and where some of its pages end. */
interface Known {
  count: number;
  /** By how many listings stand up to and including it. */
  ends: Map<number, Place>;
}

/**
 * Pages of the plain lists. A page goes on from where the one before it ended; one that is jumped to is found by
 * walking an index from the nearest place that is known.
 */
export class ListingPages {
  readonly #read: Tx;
  readonly #known: DatabaseCache<Known>;

  constructor(read: Tx, changes: ListingChanges) {
    this.#read = read;
    this.#known = new DatabaseCache(changes);
  }

  async page(list: SortedList, { limit, offset }: Page): Promise<{ ids: number[]; count: number }> {
    const { count, ends } = await this.#known.get(JSON.stringify(list), async () => ({
      count: (await countQuery(this.#read, list))[0]!.count,
      ends: new Map<number, Place>(),
    }));
    if (offset >= count) return { ids: [], count };
    const from = nearest(ends, offset);
    const after = ends.get(from) ?? null;
    const places = await placesAfter(this.#read, list, { after, limit, offset: offset - from });
    if (ends.size < MOST_PLACES && places.length === limit) ends.set(offset + limit, places.at(-1)!);
    return { ids: places.map(({ id }) => id), count };
  }
}

/** The known end closest before a page; 0 is the beginning. */
function nearest(ends: Map<number, Place>, offset: number): number {
  if (ends.has(offset)) return offset;
  let best = 0;
  for (const end of ends.keys()) if (end < offset && end > best) best = end;
  return best;
}
