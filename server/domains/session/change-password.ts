import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { Refusal } from "#shared/refusal.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { endOtherSessions } from "./end-sessions.ts";
import { refuseEnded } from "./list-sessions.ts";

/** A hashed password, and the hash it replaces. */
interface PreparedPassword {
  hash: string;
  before: string;
}

/**
 * Checks the current password and hashes the new one. A member without a password cannot set one here. Attempts count
 * together with logins.
 */
export async function preparePassword(
  deps: Deps,
  passwords: Passwords,
  { memberId, ip, old, next }: { memberId: number; ip: string; old: string; next: string },
): Promise<PreparedPassword> {
  const { db, clock } = deps;
  const { username, passwordHash: before } = await readMember(db.read, memberId);
  if (before === null) throw new Refusal("password.none");
  const counted = await db.transact((tx) => countAttempt(tx, username, ip, clock.now()));
  if (!(await passwords.verify(before, old))) throw new Refusal("password.wrong");
  await db.transact((tx) => forgiveAttempt(tx, username, ip, counted));
  return { hash: await passwords.hash(next), before };
}

/** Changes the password, unless it has changed meanwhile, and ends the member's other sessions with it. */
export async function writePassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  { memberId, sessionId }: Pick<Caller, "memberId" | "sessionId">,
  { hash, before }: PreparedPassword,
): Promise<void> {
  await refuseEnded(tx, { sessionId });
  const changed = await tx
    .update(members)
    .set({ passwordHash: hash })
    .where(and(eq(members.id, memberId), eq(members.passwordHash, before)))
    .returning({ id: members.id });
  if (changed.length === 0) throw new Refusal("password.wrong");
  await endOtherSessions(tx, deps, { memberId, sessionId });
}
