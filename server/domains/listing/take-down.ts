import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments, listings, listingWords } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Picture } from "#shared/picture.ts";
import { Refusal } from "#shared/refusal.ts";
import { stateComment } from "./state-comment.ts";

/** Hides a listing from everybody, or shows it again. Throws `object.unknown`. */
export async function pauseListing(tx: Tx, deps: Pick<Deps, "announce">, code: string, paused: boolean): Promise<void> {
  const changed = await tx
    .update(listings)
    .set({ paused })
    .where(eq(listings.code, code))
    .returning({ id: listings.id });
  if (changed.length === 0) throw new Refusal("object.unknown");
  await deps.announce(tx, "listings.changed", {});
}

/**
 * Deletes a listing and its comments for good. Returns its pictures, to be removed after the commit. The record of who
 * saw its private part stays. Throws `object.unknown`.
 */
export async function removeListing(tx: Tx, deps: Pick<Deps, "announce" | "clock">, code: string): Promise<Picture[]> {
  const { id, pictures } = listings;
  const [listing] = await tx.select({ id, pictures }).from(listings).where(eq(listings.code, code));
  if (!listing) throw new Refusal("object.unknown");
  const gone = await tx.delete(comments).where(eq(comments.listingId, listing.id)).returning();
  for (const comment of gone) await stateComment(tx, deps, comment, "removed");
  await tx.delete(listingWords).where(eq(listingWords.listingId, listing.id));
  await tx.delete(listings).where(eq(listings.id, listing.id));
  await deps.announce(tx, "listings.changed", {});
  return listing.pictures;
}
