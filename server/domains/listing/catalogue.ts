import type { Tx } from "#db/db.ts";
import type { Sort } from "#shared/contract/listing.ts";
import type { ListingChanges } from "./changes.ts";
import { SearchCache } from "./search-cache.ts";
import { ListingPages, type Page } from "./listing-pages.ts";
import type { Range } from "./sorted-places.ts";

/** What a reader asks of the listings; paused ones are never among them. */
export interface Wish {
  cityId?: number | null;
  sort?: Sort;
  words?: string[];
  price?: Range | null;
  height?: Range | null;
  pictured?: boolean;
}

/** Lists of listings: a page of their row numbers in order, and how many there are in all. */
export class Catalogue {
  readonly #shelves: ListingPages;
  readonly #searches: SearchCache;

  constructor(read: Tx, changes: ListingChanges) {
    this.#shelves = new ListingPages(read, changes);
    this.#searches = new SearchCache(read, changes);
  }

  page(wish: Wish, page: Page): Promise<{ ids: number[]; count: number }> {
    const { cityId = null, sort = "newest", words = [], price = null, height = null, pictured = false } = wish;
    // By price, the index itself begins and ends where the range does.
    const isPriceSorted = sort === "price" || sort === "price_desc";
    const shelf = { cityId, sort, price: isPriceSorted ? price : null };
    const priced = isPriceSorted ? null : price;
    const isPlain = words.length === 0 && !priced && !height && !pictured;
    return isPlain
      ? this.#shelves.page(shelf, page)
      : this.#searches.page({ ...shelf, words, priced, height, pictured }, page);
  }
}
