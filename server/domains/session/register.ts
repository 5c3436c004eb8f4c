import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { invites } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { findMember } from "#server/domains/account/find-member.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { openSession } from "./open-session.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";

export interface Registration {
  username: string;
  password: string;
  code: string;
  ip: string;
  agent: string;
}

const usable = (code: string) => and(eq(invites.code, code), or(isNull(invites.usesLeft), gt(invites.usesLeft, 0)));

/**
 * Makes a member of somebody with an invite and logs them in. The invite, the member and the session are one commit.
 */
export async function register(deps: Deps, passwords: Passwords, who: Registration) {
  await refuseEarly(deps.db.read, who);
  const passwordHash = await passwords.hash(who.password);
  return deps.db.transact(async (tx) => {
    const used = await tx
      .update(invites)
      .set({ usesLeft: sql`${invites.usesLeft} - 1` })
      .where(usable(who.code))
      .returning({ code: invites.code });
    if (used.length === 0) throw invalid({ code: "invite" });
    const memberId = await addMember(tx, { username: who.username, passwordHash }, deps.clock.now());
    return { memberId, token: await openSession(tx, deps, memberId, who) };
  });
}

/** Refuses before the costly hash where the answer is no anyway. */
async function refuseEarly(read: Tx, { code, username }: Registration): Promise<void> {
  const [invite] = await read.select({ code: invites.code }).from(invites).where(usable(code));
  if (!invite) throw invalid({ code: "invite" });
  if (await findMember(read, username)) throw new Refusal("username.taken");
}
