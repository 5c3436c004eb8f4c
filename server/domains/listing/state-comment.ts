import type { Tx } from "#db/db.ts";
import type { comments } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMemberLeaf } from "#server/domains/log/member-leaves.ts";
import type { Content } from "#shared/log/salted.ts";
import { wireId } from "./wire-ids.ts";

type CommentRow = typeof comments.$inferSelect;
export type CommentState = Content<"comment">["state"];

/** Where a comment stands. */
export const stateOf = ({ shown }: Pick<CommentRow, "shown">): CommentState =>
  shown === null ? "waiting" : shown ? "shown" : "hidden";

/** States in its member's chain what becomes of a comment, in the transaction that does it. */
export async function stateComment(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { id, memberId, listingId, text, hearts }: CommentRow,
  state: CommentState,
): Promise<void> {
  const names = { id: wireId("comment", id), listing: wireId("listing", listingId) };
  await addMemberLeaf<"comment">(tx, memberId, { kind: "comment", ...names, state, text, hearts, at: clock.now() });
}
