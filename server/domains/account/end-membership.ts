import { and, asc, eq, gt, lte, notExists } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members, messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "./add-message.ts";

const KIND = "membership.ended";

/** A membership and the moment it runs out. */
export interface Running {
  memberId: number;
  until: number;
}

/** Memberships that run out within a span of time and of whose end nobody was told, the earliest first. */
export function listEnding(read: Tx, span: { after: number; upTo: number; most: number }): Promise<Running[]> {
  return read
    .select({ memberId: members.id, until: members.memberUntil })
    .from(members)
    .where(and(gt(members.memberUntil, span.after), lte(members.memberUntil, span.upTo), notExists(told(read))))
    .orderBy(asc(members.memberUntil), asc(members.id))
    .limit(span.most);
}

/** The message that says that a membership ended is dated with its very end, so there is one for each end. */
const told = (read: Tx) =>
  read
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(eq(messages.memberId, members.id), eq(messages.kind, KIND), eq(messages.createdAt, members.memberUntil)),
    );

/**
 * Tells a member that their membership ended, once, however many processes notice it. Nothing happens
 * when it was extended meanwhile. Whether they are a member is for the clock to say, and needs none of this.
 */
export async function endMembership(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock">,
  { memberId, until }: Running,
): Promise<void> {
  // Writes nothing new, and holds the row until the end: of two that come at once, the second finds the message.
  const held = await tx
    .update(members)
    .set({ memberUntil: until })
    .where(and(eq(members.id, memberId), eq(members.memberUntil, until), lte(members.memberUntil, deps.clock.now())))
    .returning({ id: members.id });
  if (held.length === 0) return;
  const [known] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.memberId, memberId), eq(messages.kind, KIND), eq(messages.createdAt, until)));
  if (known) return;
  await addMessage(tx, { clock: { now: () => until } }, memberId, KIND, {});
  await deps.announce(tx, "member.changed", { memberId });
}
