import { and, asc, eq, gt, lte, notExists } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { erasedMembers } from "#db/schema/log.ts";
import { members, messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMessage } from "./add-message.ts";

const KIND = "membership.ended";

/** A membership and the moment it runs out. */
export interface Running {
  memberId: number;
  until: number;
}

/** Nobody is told of the end of an erased member's membership. */
const erasureOf = (read: Tx) =>
  read.select({ id: erasedMembers.memberId }).from(erasedMembers).where(eq(erasedMembers.memberId, members.id));

/** Memberships that end within a span of time and have no message about that end yet, the earliest first. */
export function listEnding(read: Tx, span: { after: number; upTo: number; most: number }): Promise<Running[]> {
  return read
    .select({ memberId: members.id, until: members.memberUntil })
    .from(members)
    .where(
      and(
        gt(members.memberUntil, span.after),
        lte(members.memberUntil, span.upTo),
        notExists(endMessages(read)),
        notExists(erasureOf(read)),
      ),
    )
    .orderBy(asc(members.memberUntil), asc(members.id))
    .limit(span.most);
}

/** The message about an end is dated with that end, which makes it unique. */
const endMessages = (read: Tx) =>
  read
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(eq(messages.memberId, members.id), eq(messages.kind, KIND), eq(messages.createdAt, members.memberUntil)),
    );

/**
 * Adds the message that a membership ended: once, however many processes try. Does nothing if the membership was extended
 * meanwhile. The membership itself needs none of this: it ends by the clock.
 */
export async function endMembership(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock">,
  { memberId, until }: Running,
): Promise<void> {
  // Changes nothing, but locks the row until the commit: of two processes, the second finds the message.
  const locked = await tx
    .update(members)
    .set({ memberUntil: until })
    .where(and(eq(members.id, memberId), eq(members.memberUntil, until), lte(members.memberUntil, deps.clock.now())))
    .returning({ id: members.id });
  if (locked.length === 0) return;
  const [known] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.memberId, memberId), eq(messages.kind, KIND), eq(messages.createdAt, until)));
  if (known) return;
  await addMessage(tx, { clock: { now: () => until } }, memberId, KIND, {});
  await deps.announce(tx, "member.changed", { memberId });
}
