import type { Tx } from "#db/db.ts";
import type { CacheStamp } from "#db/database-cache.ts";
import type { Sort } from "#shared/contract/listing.ts";
import { SearchCache } from "./search-cache.ts";
import { ListingPages, type Page } from "./listing-pages.ts";
import type { Range } from "./sorted-places.ts";

/** What a reader searches for; paused listings are never found. */
export interface ListingQuery {
  cityId?: number | null;
  sort?: Sort;
  words?: string[];
  price?: Range | null;
  height?: Range | null;
  pictured?: boolean;
}

/** Lists of listings: a page of their row numbers in order, and how many there are in all. */
export class Catalogue {
  readonly #pages: ListingPages;
  readonly #searches: SearchCache;

  constructor(read: Tx, changes: CacheStamp) {
    this.#pages = new ListingPages(read, changes);
    this.#searches = new SearchCache(read, changes);
  }

  page(query: ListingQuery, page: Page): Promise<{ ids: number[]; count: number }> {
    const { cityId = null, sort = "newest", words = [], price = null, height = null, pictured = false } = query;
    // By price, the index itself begins and ends where the range does.
    const isPriceSorted = sort === "price" || sort === "price_desc";
    const list = { cityId, sort, price: isPriceSorted ? price : null };
    const priced = isPriceSorted ? null : price;
    const isPlain = words.length === 0 && !priced && !height && !pictured;
    return isPlain
      ? this.#pages.page(list, page)
      : this.#searches.page({ ...list, words, priced, height, pictured }, page);
  }
}
