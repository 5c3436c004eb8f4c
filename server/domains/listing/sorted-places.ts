import { and, asc, between, desc, eq, gt, gte, inArray, lt, lte, sql, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listings } from "#db/schema/listing.ts";
import type { Sort } from "#shared/contract/listing.ts";

const ORDERS = {
  newest: { key: listings.id, up: false },
  price: { key: listings.price, up: true },
  price_desc: { key: listings.price, up: false },
  hearts: { key: listings.heartsMean, up: false },
} satisfies Record<Sort, unknown>;

/** From the least to the most, both included. */
export type Range = [least: number, most: number];

/** A list that an index holds in order: a page costs the same however long the list is. */
export interface SortedList {
  cityId: number | null;
  sort: Sort;
  /** Only with an order by price. */
  price: Range | null;
}

/** A listing's position in an order. */
export interface Place {
  key: number;
  id: number;
}

interface Piece {
  /** The place just before the first wanted one. */
  after: Place | null;
  limit: number;
  /** How many places to skip after it. */
  offset?: number;
}

/** The places after a given one, read from the index alone. */
export async function placesAfter(read: Tx, list: SortedList, piece: Piece): Promise<Place[]> {
  const [alike, beyond] = placeQueries(read, list, piece);
  const first = await alike!;
  if (!beyond || first.length === piece.limit) return first;
  return [...first, ...(await beyond.limit(piece.limit - first.length))];
}

/**
 * The statements for it. Continuing after a place takes the rest of the same key first, then the later keys. An index
 * seeks to each of the two starts at once, but not to a pair of key and id.
 */
export function placeQueries(read: Tx, list: SortedList, { after, limit, offset = 0 }: Piece) {
  const { key, up } = ORDERS[list.sort];
  const later = up ? gt : lt;
  const ask = (...from: (SQL | undefined)[]) => query(read, list, from).limit(limit).offset(offset);
  if (after === null) return [ask(within(list))];
  if (list.sort === "newest") return [ask(later(listings.id, after.id))];
  // Skipped places are walked one by one in any case.
  const pair = sql`(${key}, ${listings.id}) ${sql.raw(up ? ">" : "<")} (${after.key}, ${after.id})`;
  if (offset > 0) return [ask(within(list), pair)];
  const [least, most] = list.price ?? [undefined, undefined];
  const end = up ? most !== undefined && lte(key, most) : least !== undefined && gte(key, least);
  return [ask(eq(key, after.key), later(listings.id, after.id)), ask(later(key, after.key), end || undefined)];
}

function query(read: Tx, list: SortedList, from: (SQL | undefined)[]) {
  const { key, up } = ORDERS[list.sort];
  const way = up ? asc : desc;
  return read
    .select({ key, id: listings.id })
    .from(listings)
    .where(and(isListed(list), ...from))
    .orderBy(...(list.sort === "newest" ? [way(listings.id)] : [way(key), way(listings.id)]))
    .$dynamic();
}

const isListed = ({ cityId }: SortedList) =>
  and(eq(listings.paused, false), cityId === null ? undefined : eq(listings.cityId, cityId));

const within = ({ price }: SortedList) => (price === null ? undefined : between(listings.price, ...price));

/** The few listings that are in a list, in its order. */
export const placesAmong = (read: Tx, list: SortedList, ids: readonly number[]): Promise<Place[]> =>
  query(read, list, [within(list), inArray(listings.id, [...ids])]).execute();

/** Counts the listings in a list. */
export function countQuery(read: Tx, list: SortedList) {
  return read
    .select({ count: sql<number>`count(*)` })
    .from(listings)
    .where(and(isListed(list), within(list)));
}
