import { and, asc, count, eq, inArray, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { cities, listings } from "#db/schema/listing.ts";
import { Refusal } from "#shared/refusal.ts";

/** The public columns of a listing. */
const OPEN = {
  id: listings.id,
  name: listings.name,
  headline: listings.headline,
  district: listings.district,
  birthday: listings.birthday,
  heightCm: listings.heightCm,
  chestCm: listings.chestCm,
  price: listings.price,
  pictures: listings.pictures,
  commentCount: listings.commentCount,
  heartsMean: listings.heartsMean,
  demo: listings.demo,
  cityId: listings.cityId,
  cityName: cities.name,
};

/** The columns for active members only. */
const PRIVATE = { address: listings.address, contact: listings.contact, service: listings.service };

const ofListings = (read: Tx) =>
  read.select(OPEN).from(listings).innerJoin(cities, eq(cities.id, listings.cityId)).$dynamic();

export type OpenListing = Awaited<ReturnType<typeof ofListings>>[number];
export type PrivatePart = Awaited<ReturnType<typeof readPrivate>>;

/** The shown listings among these ids, in the order of the ids. */
export async function readListings(read: Tx, ids: readonly number[]): Promise<OpenListing[]> {
  if (ids.length === 0) return [];
  return inOrder(ids, await ofListings(read).where(and(inArray(listings.id, [...ids]), eq(listings.paused, false))));
}

/** One shown listing. Throws `object.unknown`. */
export async function readListing(read: Tx, id: number): Promise<OpenListing> {
  const [listing] = await readListings(read, [id]);
  if (!listing) throw new Refusal("object.unknown");
  return listing;
}

/** The private part of a listing. Its reader must be an active member, and is recorded first (record-looks.ts). */
export async function readPrivate(read: Tx, id: number) {
  const [part] = await read.select(PRIVATE).from(listings).where(eq(listings.id, id));
  if (!part) throw new Refusal("object.unknown");
  return part;
}

/** The hosts' services by listing, for active members only. */
export async function readServices(read: Tx, ids: readonly number[]) {
  const { id, service } = listings;
  const rows = await read
    .select({ id, service })
    .from(listings)
    .where(inArray(id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.service]));
}

function inOrder<T extends { id: number }>(ids: readonly number[], rows: T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The cities in the operator's order, each with the number of its shown listings and the pictures of the newest. */
export async function readCities(read: Tx) {
  const newest = read
    .select({ cityId: listings.cityId, id: max(listings.id).as("newest"), count: count().as("shown") })
    .from(listings)
    .where(eq(listings.paused, false))
    .groupBy(listings.cityId)
    .as("newest");
  const rows = await read
    .select({ id: cities.id, name: cities.name, count: newest.count, pictures: listings.pictures })
    .from(cities)
    .leftJoin(newest, eq(newest.cityId, cities.id))
    .leftJoin(listings, eq(listings.id, newest.id))
    .orderBy(asc(cities.position), asc(cities.id));
  return rows.map((row) => ({ ...row, count: row.count ?? 0, pictures: row.pictures ?? [] }));
}

export type City = Awaited<ReturnType<typeof readCities>>[number];
