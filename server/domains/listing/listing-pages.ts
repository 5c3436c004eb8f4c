import type { Tx } from "#db/db.ts";
import { DatabaseCache, type CacheStamp } from "#db/database-cache.ts";
import { countQuery, placesAfter, type Place, type SortedList } from "./sorted-places.ts";

/** The most page ends cached for one list. */
const MOST_PLACES = 10_000;

export interface Page {
  limit: number;
  offset: number;
}

/** The cached facts of one list until it changes: its length, and where some pages end. */
interface Known {
  count: number;
  /** Keyed by the number of listings up to and including that place. */
  ends: Map<number, Place>;
}

/**
 * Pages of the plain lists. A page continues where the page before it ended. A page that is jumped to is found by
 * walking the index from the nearest cached end.
 */
export class ListingPages {
  readonly #read: Tx;
  readonly #known: DatabaseCache<Known>;

  constructor(read: Tx, changes: CacheStamp) {
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

/** The closest cached end before a page; 0 is the beginning. */
function nearest(ends: Map<number, Place>, offset: number): number {
  if (ends.has(offset)) return offset;
  let best = 0;
  for (const end of ends.keys()) if (end < offset && end > best) best = end;
  return best;
}
