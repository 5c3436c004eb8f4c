import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";

/** Sets a member's real name, once. Returns false and does nothing when they have one. */
export async function setRealName(tx: Tx, memberId: number, realName: string): Promise<boolean> {
  const named = await tx
    .update(members)
    .set({ realName })
    .where(and(eq(members.id, memberId), isNull(members.realName)))
    .returning({ id: members.id });
  return named.length > 0;
}

/** Corrects a member's real name. */
export async function renameMember(tx: Tx, memberId: number, realName: string): Promise<void> {
  await tx.update(members).set({ realName }).where(eq(members.id, memberId));
}
