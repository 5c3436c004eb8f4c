import { inArray, max, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import { cities, listingLooks, listingMarks, listings, listingWords } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Picture } from "#shared/picture.ts";
import { indexWords } from "./index-words.ts";

type Row = typeof listings.$inferInsert;
/** The fields that the operator sets; the others are counted or stay as they were. */
export type NewListing = Omit<Row, "id" | "paused" | "commentCount" | "heartsSum" | "heartsMean" | "createdAt">;

/** Rows of one statement. */
const PIECE = 100;
/** Listings whose words are removed in one transaction. */
const FEW = 20;

export interface Saved {
  added: number;
  updated: number;
  /** Pictures that the updated listings no longer show. */
  dropped: Picture[];
}

/** Adds listings, and updates those whose code is known, all or none. Their words are indexed right after. */
export async function saveListings(
  deps: Pick<Deps, "clock" | "announce"> & { db: Db },
  rows: readonly NewListing[],
): Promise<Saved> {
  const { db } = deps;
  await removeWords(db, rows);
  const saved = await db.transact(async (tx) => {
    const known = await findKnown(tx, rows);
    await insertListings(tx, rows, deps.clock.now());
    await deps.announce(tx, "listings.changed", {});
    return { added: rows.length - known.length, updated: known.length, dropped: droppedOf(known, rows) };
  });
  await indexWords(deps);
  return saved;
}

/** Writes the rows, without their words. */
export async function insertListings(tx: Tx, rows: readonly NewListing[], now: number): Promise<void> {
  let id = await firstFree(tx);
  for (let from = 0; from < rows.length; from += PIECE) {
    const values = rows.slice(from, from + PIECE).map((row) => ({ ...row, id: id++, createdAt: now }));
    await tx.insert(listings).values(values).onConflictDoUpdate({ target: listings.code, set: UPDATED_COLUMNS });
  }
}

/** An id is never reused while recorded looks or members' marks still name it. */
async function firstFree(tx: Tx): Promise<number> {
  const [shown] = await tx.select({ id: max(listings.id) }).from(listings);
  const [seen] = await tx.select({ id: max(listingLooks.listingId) }).from(listingLooks);
  const [marked] = await tx.select({ id: max(listingMarks.listingId) }).from(listingMarks);
  return Math.max(shown?.id ?? 0, seen?.id ?? 0, marked?.id ?? 0) + 1;
}

/** The columns an update changes: neither the pause nor the comments' totals. */
const UPDATED_COLUMNS = Object.fromEntries(
  ("cityId name headline district birthday heightCm chestCm price pictures address contact service" as const)
    .split(" ")
    .map((field) => [field, sql.raw(`excluded.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)]),
);

async function findKnown(tx: Tx, rows: readonly NewListing[]) {
  const known: { id: number; code: string; name: Row["name"]; pictures: Picture[] }[] = [];
  const { id, code, name, pictures } = listings;
  for (let from = 0; from < rows.length; from += PIECE) {
    const codes = rows.slice(from, from + PIECE).map((row) => row.code);
    known.push(...(await tx.select({ id, code, name, pictures }).from(listings).where(inArray(code, codes))));
  }
  return known;
}

/** A renamed listing is briefly not found; that beats being found by its old name. */
async function removeWords(db: Db, rows: readonly NewListing[]): Promise<void> {
  const names = new Map(rows.map(({ code, name }) => [code, JSON.stringify(name)]));
  const renamed = (await findKnown(db.read, rows)).filter(({ code, name }) => names.get(code) !== JSON.stringify(name));
  for (let from = 0; from < renamed.length; from += FEW) {
    const ids = renamed.slice(from, from + FEW).map(({ id }) => id);
    await db.transact((tx) => tx.delete(listingWords).where(inArray(listingWords.listingId, ids)));
  }
}

function droppedOf(known: { pictures: Picture[] }[], rows: readonly NewListing[]): Picture[] {
  const shown = new Set(rows.flatMap(({ pictures }) => pictures.map(({ name }) => name)));
  return known.flatMap(({ pictures }) => pictures).filter(({ name }) => !shown.has(name));
}

/** Adds a city after the others. */
export async function addCity(tx: Tx, deps: Pick<Deps, "announce">, name: LocalText): Promise<number> {
  const [{ last } = { last: null }] = await tx.select({ last: max(cities.position) }).from(cities);
  const [city] = await tx
    .insert(cities)
    .values({ name, position: (last ?? 0) + 1 })
    .returning({ id: cities.id });
  await deps.announce(tx, "listings.changed", {});
  return city!.id;
}
