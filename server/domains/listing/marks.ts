import { and, count, desc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { listingMarks } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { readListing } from "./read-listings.ts";
import type { Page } from "./listing-pages.ts";

/** The most listings that a member saves, and the most whose opening is remembered. */
const MOST = { saved: 200, opened: 100 };

interface Marked {
  memberId: number;
  kind: keyof typeof MOST;
}

const marksOf = ({ memberId, kind }: Marked) => and(eq(listingMarks.memberId, memberId), eq(listingMarks.kind, kind));

/** Saves a listing; the same again changes nothing. Throws `object.unknown` and `saved.many`. */
export async function saveListing(tx: Tx, { clock }: Pick<Deps, "clock">, memberId: number, listingId: number) {
  await readListing(tx, listingId);
  const mark = { memberId, kind: "saved" as const, listingId, markedAt: clock.now() };
  await tx.insert(listingMarks).values(mark).onConflictDoNothing();
  if ((await readMarked(tx, mark)).length > MOST.saved) throw new Refusal("saved.many");
}

export async function dropListing(tx: Tx, memberId: number, listingId: number): Promise<void> {
  await tx.delete(listingMarks).where(and(marksOf({ memberId, kind: "saved" }), eq(listingMarks.listingId, listingId)));
}

/** Remembers the newest openings, each listing once. Throws `object.unknown`. */
export async function markOpened(tx: Tx, { clock }: Pick<Deps, "clock">, memberId: number, listingId: number) {
  await readListing(tx, listingId);
  const mark = { memberId, kind: "opened" as const, listingId, markedAt: clock.now() };
  const { kind, markedAt } = listingMarks;
  await tx
    .insert(listingMarks)
    .values(mark)
    .onConflictDoUpdate({
      target: [listingMarks.memberId, kind, listingMarks.listingId],
      set: { markedAt: mark.markedAt },
    });
  const old = await tx
    .select({ id: listingMarks.listingId })
    .from(listingMarks)
    .where(marksOf(mark))
    .orderBy(desc(markedAt), desc(listingMarks.listingId))
    .limit(MOST.opened)
    .offset(MOST.opened);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await tx.delete(listingMarks).where(and(marksOf(mark), inArray(listingMarks.listingId, ids)));
}

/** The row numbers of all listings that a member marked, newest first. */
export async function readMarked(read: Tx, marked: Marked): Promise<number[]> {
  const { listingId, markedAt } = listingMarks;
  const rows = await read
    .select({ id: listingId })
    .from(listingMarks)
    .where(marksOf(marked))
    .orderBy(desc(markedAt), desc(listingId));
  return rows.map(({ id }) => id);
}

/** A page of the listings that a member marked, newest first, and how many there are in all. */
export async function readMarks(read: Tx, marked: Marked, { limit, offset }: Page) {
  const { listingId, markedAt } = listingMarks;
  const rows = await read
    .select({ id: listingId, at: markedAt })
    .from(listingMarks)
    .where(marksOf(marked))
    .orderBy(desc(markedAt), desc(listingId))
    .limit(limit)
    .offset(offset);
  const [total] = await read.select({ count: count() }).from(listingMarks).where(marksOf(marked));
  return { rows, count: total!.count };
}

/** Clears what a member opened. */
export async function forgetOpened(tx: Tx, memberId: number): Promise<void> {
  await tx.delete(listingMarks).where(marksOf({ memberId, kind: "opened" }));
}
