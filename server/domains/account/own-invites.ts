import { count, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { invites } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { INVITE_LETTERS, newSecret } from "./typed-secret.ts";
import { Refusal, switchedOff } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";

/** A member's own invites, the newest first, and how many there may be. Whom one let in is not told. */
export async function readInvites(read: Tx, { settings }: Pick<Deps, "settings">, memberId: number) {
  const own = await read.select().from(invites).where(eq(invites.memberId, memberId)).orderBy(desc(invites.place));
  const list = own.map(({ code, usesLeft, createdAt }) => ({
    code,
    used: usesLeft === 0 ? (1 as const) : (0 as const),
    create_time: toSeconds(createdAt),
  }));
  return { most: settings.get<number>("member_invites"), list };
}

/** Makes an invite of a member's own, for one person. Used ones count too: nobody makes more than the operator allows. */
export async function makeInvite(
  tx: Tx,
  deps: Pick<Deps, "settings" | "clock" | "random">,
  memberId: number,
): Promise<{ code: string }> {
  const most = deps.settings.get<number>("member_invites");
  if (most === 0) throw switchedOff("invites");
  const [made] = await tx.select({ count: count() }).from(invites).where(eq(invites.memberId, memberId));
  const place = made!.count;
  if (place >= most) throw new Refusal("invite.spent");
  const code = newSecret(deps.random, INVITE_LETTERS);
  const row = { code, usesLeft: 1, createdAt: deps.clock.now(), memberId, place };
  const [one] = await tx.insert(invites).values(row).onConflictDoNothing().returning();
  // PostgreSQL repeats a transaction whose place another one took in the same moment.
  if (!one) throw new Error(`member ${memberId} has an invite at place ${place} already`);
  return { code };
}
