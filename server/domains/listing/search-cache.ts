import { and, asc, between, eq, gt, gte, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { DatabaseCache, type CacheStamp } from "#db/database-cache.ts";
import { listings, listingWords } from "#db/schema/listing.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Page } from "./listing-pages.ts";
import { placesAfter, placesAmong, type Place, type Range, type SortedList } from "./sorted-places.ts";

/** A search that no index answers in order. */
export interface Search extends SortedList {
  /** Folded (words.ts); every word must match. */
  words: string[];
  /** The price range, where the list is not sorted by price. */
  priced: Range | null;
  height: Range | null;
  /** Only listings that have pictures. */
  pictured: boolean;
}

/** Yields to the event loop, so that other requests are answered. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Listings examined at a time. */
const PIECE = 500;
/** The most lists cached, and the most searches queued. */
const MOST_CACHED = 50;
const MOST_WAITING = 50;

/**
 * Caches whole search results, in order, until a listing changes. Searches run one at a time through a queue and in
 * short pieces, so that no other request waits for one.
 */
export class SearchCache {
  readonly #read: Tx;
  readonly #found: DatabaseCache<Uint32Array>;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(read: Tx, changes: CacheStamp) {
    this.#read = read;
    this.#found = new DatabaseCache(changes, MOST_CACHED);
  }

  async page(search: Search, { limit, offset }: Page): Promise<{ ids: number[]; count: number }> {
    const found = await this.#found.get(JSON.stringify(search), () => this.#find(search));
    return { ids: [...found.subarray(offset, offset + limit)], count: found.length };
  }

  async #find(search: Search): Promise<Uint32Array> {
    if (this.#waiting >= MOST_WAITING) throw new Refusal("attempts.many", { retryAfterS: 2 });
    this.#waiting++;
    const found = this.#tail.then(() => findAll(this.#read, search)).finally(() => this.#waiting--);
    this.#tail = found.catch(() => {});
    return found;
  }
}

async function findAll(read: Tx, search: Search): Promise<Uint32Array> {
  const named = search.words.length > 0 ? await findByWords(read, search.words) : null;
  if (named && named.size <= PIECE) return findAmong(read, search, named);
  const found: number[] = [];
  let after: Place | null = null;
  for (;;) {
    const places: Place[] = await placesAfter(read, search, { after, limit: PIECE });
    const ids = places.map(({ id }) => id).filter((id) => named?.has(id) ?? true);
    found.push(...(await fitting(read, search, ids)));
    if (places.length < PIECE) return Uint32Array.from(found);
    after = places.at(-1)!;
    await pause();
  }
}

async function findAmong(read: Tx, search: Search, named: ReadonlySet<number>): Promise<Uint32Array> {
  const places = await placesAmong(read, search, [...named]);
  const ids = places.map(({ id }) => id);
  return Uint32Array.from(await fitting(read, search, ids));
}

/** The listings that pass the filters, in the same order. */
async function fitting(read: Tx, { priced, height, pictured }: Search, ids: number[]): Promise<number[]> {
  const asked: (SQL | undefined)[] = [
    priced ? between(listings.price, ...priced) : undefined,
    height ? between(listings.heightCm, ...height) : undefined,
    pictured ? sql`cast(${listings.pictures} as text) <> '[]'` : undefined,
  ].filter(Boolean);
  if (asked.length === 0 || ids.length === 0) return ids;
  const rows = await read
    .select({ id: listings.id })
    .from(listings)
    .where(and(inArray(listings.id, ids), ...asked));
  const fit = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => fit.has(id));
}

/** Rows per query. */
const WORDS_PIECE = 2_000;
/** After every text that begins with a word. */
const AFTER_ALL = "\u{10ffff}";

/** The listings whose names contain every word, at the start of a word or inside it. */
async function findByWords(read: Tx, words: readonly string[]): Promise<Set<number>> {
  // The longest word is usually the rarest.
  const [first, ...others] = words.toSorted((a, b) => b.length - a.length);
  let found = await findByWord(read, first!);
  for (const word of others) {
    if (found.size === 0) break;
    const also = await findByWord(read, word);
    found = new Set([...found].filter((id) => also.has(id)));
  }
  return found;
}

async function findByWord(read: Tx, beginning: string): Promise<Set<number>> {
  const found = new Set<number>();
  let rows = await wordsFrom(read, beginning, null);
  for (;;) {
    for (const { listingId } of rows) found.add(listingId);
    if (rows.length < WORDS_PIECE) return found;
    await pause();
    rows = await wordsFrom(read, beginning, rows.at(-1)!);
  }
}

function wordsFrom(read: Tx, beginning: string, after: { word: string; listingId: number } | null) {
  const { word, listingId } = listingWords;
  const from = after
    ? or(and(eq(word, after.word), gt(listingId, after.listingId)), gt(word, after.word))
    : gte(word, beginning);
  return read
    .select({ word, listingId })
    .from(listingWords)
    .where(and(gte(word, after?.word ?? beginning), lt(word, beginning + AFTER_ALL), from))
    .orderBy(asc(word), asc(listingId))
    .limit(WORDS_PIECE);
}
