import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { openWallet } from "#server/domains/ledger/wallet.ts";
import { Refusal } from "#shared/refusal.ts";

interface NewMember {
  username: string;
  passwordHash: string | null;
  demo?: boolean;
}

/** Adds a member with an empty wallet. Refuses a name that is taken. */
export async function addMember(
  tx: Tx,
  { username, passwordHash, demo = false }: NewMember,
  now: number,
): Promise<number> {
  const row = { username, passwordHash, demo, avatar: "", createdAt: now };
  const [member] = await tx.insert(members).values(row).onConflictDoNothing().returning({ id: members.id });
  if (!member) throw new Refusal("username.taken");
  // The id picks the stock avatar, so that two members rarely look alike.
  await tx
    .update(members)
    .set({ avatar: `avatar/${(member.id % 20) + 1}` })
    .where(eq(members.id, member.id));
  await openWallet(tx, member.id);
  return member.id;
}
