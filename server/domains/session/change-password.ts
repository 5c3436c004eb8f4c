import type { Tx } from "#db/db.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { ofSession } from "#server/domains/account/hash-lanes.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { refuseWeakPassword } from "#server/domains/account/weak-secrets.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { checkPassword, replaceHash } from "./check-password.ts";
import { endOtherSessions } from "./end-sessions.ts";

/** A hashed password, and the hash it replaces. */
interface PreparedPassword {
  hash: string;
  before: string;
}

interface Change {
  caller: Pick<Caller, "memberId" | "sessionId">;
  ip: string;
  old: string;
  next: string;
}

/** Checks the current password and hashes the new one. A member without a password cannot set one here. */
export async function preparePassword(
  deps: Deps,
  passwords: Passwords,
  { caller, ip, old, next }: Change,
): Promise<PreparedPassword> {
  const { username } = await readMember(deps.db.read, caller.memberId);
  refuseWeakPassword(deps.settings, { field: "new_password", password: next, username });
  if (next === old) throw invalid({ new_password: "passwordSame" });
  const before = await checkPassword(deps, passwords, { caller, ip, password: old });
  return { hash: await passwords.hash(next, ofSession(caller.memberId)), before };
}

/**
 * Changes the password, unless it has changed meanwhile, ends the member's other sessions with it, and begins the cooling
 * time.
 */
export async function writePassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "settings" | "announce">,
  { memberId, sessionId }: Pick<Caller, "memberId" | "sessionId">,
  { hash, before }: PreparedPassword,
): Promise<void> {
  if (!(await replaceHash(tx, memberId, { before, hash }))) throw new Refusal("password.wrong");
  await endOtherSessions(tx, deps, { memberId, sessionId });
  await startCooling(tx, deps, memberId);
  await tellSecurity(tx, deps, memberId, "passwordChanged");
}
