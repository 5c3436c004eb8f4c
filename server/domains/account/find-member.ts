import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { erasedMembers } from "#db/schema/log.ts";
import { members } from "#db/schema/member.ts";

export type Member = typeof members.$inferSelect;

/** The wire's id of a member. */
export const memberWireId = (id: number): string => `mem_${id}`;

export async function readMember(read: Tx, id: number): Promise<Member> {
  const [member] = await read.select().from(members).where(eq(members.id, id));
  if (!member) throw new Error(`there is no member ${id}`);
  return member;
}

/** By name, ignoring case; undefined when there is none. */
export async function findMember(read: Tx, username: string): Promise<Member | undefined> {
  const [member] = await read.select().from(members).where(eq(members.username, username.toLowerCase()));
  return member;
}

/** Whether a member was erased: nothing comes to their wallet any more, and nobody reads their messages. */
export async function isErased(read: Tx, id: number): Promise<boolean> {
  const [erased] = await read
    .select({ id: erasedMembers.memberId })
    .from(erasedMembers)
    .where(eq(erasedMembers.memberId, id));
  return erased !== undefined;
}
