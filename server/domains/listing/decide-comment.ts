import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { comments, listings } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { Refusal } from "#shared/refusal.ts";
import { stateComment, stateOf } from "./state-comment.ts";
import { wireId } from "./wire-ids.ts";

/** Shows or hides a comment; its hearts count only while it is shown. With a reason, which may be packed by language, its author is told. Throws `object.unknown`. */
export async function decideComment(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock">,
  id: number,
  shown: boolean,
  reason: string | null = null,
): Promise<void> {
  const [before] = await tx.select().from(comments).where(eq(comments.id, id));
  if (!before) throw new Refusal("object.unknown");
  if (before.shown === shown) return;
  await tx.update(comments).set({ shown }).where(eq(comments.id, id));
  await stateComment(tx, deps, before, stateOf({ shown }));
  if ((before.shown ?? false) !== shown) await countHearts(tx, before.listingId, shown ? 1 : -1, before.hearts);
  const record = wireId("listing", before.listingId);
  if (reason !== null) await addMessage(tx, deps, before.memberId, "comment.hidden", { reason, record });
  await deps.announce(tx, "listings.changed", {});
}

/** Adds one comment's hearts to the listing's totals, or takes them out. */
export async function countHearts(tx: Tx, listingId: number, more: 1 | -1, hearts: number): Promise<void> {
  const count = sql`${listings.commentCount} + ${more}`;
  const sum = sql`${listings.heartsSum} + ${more * hearts}`;
  const mean = sql`((${sum}) * 200 + (${count})) / ((${count}) * 2)`;
  await tx
    .update(listings)
    .set({
      commentCount: count,
      heartsSum: sum,
      // Rounded to 1/100 heart. SQLite binds numbers as fractions, so the cast drops the half.
      heartsMean: sql`case when ${count} = 0 then 0 else cast(${mean} as integer) end`,
    })
    .where(eq(listings.id, listingId));
}
