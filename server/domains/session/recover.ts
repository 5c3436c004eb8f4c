import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { passwordResets } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { findMember, readMember, type Member } from "#server/domains/account/find-member.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { dropPasskeys } from "#server/domains/account/read-passkeys.ts";
import { isRecoveryCode, readRecoveryCodes, spendRecoveryCode } from "#server/domains/account/recovery-codes.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { refuseWeakPassword } from "#server/domains/account/weak-secrets.ts";
import { Refusal } from "#shared/refusal.ts";
import { forgiveAttempt, type Counts, type Guess } from "./attempts.ts";
import { endOtherSessions } from "./end-sessions.ts";
import { checkCounted, judge } from "./judge.ts";
import { isFamiliar } from "./known-device.ts";
import { foldName } from "./login.ts";
import { refuseGuess } from "./name-lock.ts";
import { openSession } from "./open-session.ts";

interface Recovery {
  username: string;
  code: string;
  newPassword: string;
  ip: string;
  agent: string;
}

/**
 * Lets a member who lost the password choose another one with a recovery code, and logs them in. Unknown names and wrong
 * codes get the same answer; they count together with wrong passwords.
 */
export async function recover(deps: Deps, passwords: Passwords, recovery: Recovery) {
  const { read } = deps.db;
  const { newPassword: password, ip } = recovery;
  const username = foldName(recovery.username);
  refuseWeakPassword(deps.settings, { field: "new_password", password, username });
  const member = await findMember(read, username);
  const memberId = member?.id ?? 0;
  if (member) deps.concerns(memberId);
  const guess = { username, ip, isFamiliar: await isFamiliar(read, memberId, ip) };
  return judge(deps, guess, (counted) => tryCode(deps, passwords, { recovery, member, guess, counted }));
}

interface Try {
  recovery: Recovery;
  member: Member | undefined;
  guess: Guess;
  counted: Counts;
}

async function tryCode(deps: Deps, passwords: Passwords, { recovery, member, guess, counted }: Try) {
  const { db, clock } = deps;
  const { code, newPassword, ip } = recovery;
  const memberId = member?.id ?? 0;
  if (!(await isRecoveryCode(db.read, deps, memberId, code)))
    throw await refuseGuess(deps, member, counted, "recovery.failed");
  const load = { lane: "login", client: clientKey(ip) } as const;
  const passwordHash = await checkCounted(deps, guess, counted, () => passwords.hash(newPassword, load));
  return db.transact(async (tx) => {
    await forgiveAttempt(tx, guess, { counted, memberId, now: clock.now() });
    if ((await readMember(tx, memberId)).locked) return { locked: memberId };
    if (!(await spendRecoveryCode(tx, deps, memberId, code))) throw new Refusal("recovery.failed");
    await replacePassword(tx, deps, { memberId, passwordHash, ip });
    return { memberId, token: await openSession(tx, deps, memberId, recovery) };
  });
}

/**
 * Whoever had the old password or the operator's secret is out, with any passkey that they may have added, and no money
 * leaves for a while.
 */
async function replacePassword(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock" | "settings">,
  { memberId, passwordHash, ip }: { memberId: number; passwordHash: string; ip: string },
): Promise<void> {
  await tx.update(members).set({ passwordHash }).where(eq(members.id, memberId));
  await tx.delete(passwordResets).where(eq(passwordResets.memberId, memberId));
  await endOtherSessions(tx, deps, { memberId, sessionId: 0 });
  for (const name of await dropPasskeys(tx, memberId))
    await tellSecurity(tx, deps, memberId, "passkeyRemoved", { name });
  await startCooling(tx, deps, memberId);
  const { left } = await readRecoveryCodes(tx, memberId);
  await tellSecurity(tx, deps, memberId, "recovered", { ip, left: String(left) });
}
