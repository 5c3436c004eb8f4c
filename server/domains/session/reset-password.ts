import { and, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { passwordResets } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { dropPasskeys } from "#server/domains/account/read-passkeys.ts";
import { dropRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { inGroups, newSecret, plainSecret } from "#server/domains/account/typed-secret.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { DAY_MS } from "#shared/time.ts";
import { kickMember } from "./end-sessions.ts";
import { hashToken } from "./tokens.ts";

const GOOD_FOR_MS = DAY_MS;
const LENGTH = 20;
const GROUP = 5;

/**
 * Takes a member's password, passkeys and recovery codes away, as a thief may have added or read them, and ends every
 * session. Returns a secret with which the member chooses the next password, once and within a day. Nobody but them knows
 * that one.
 */
export async function resetPassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "random">,
  memberId: number,
  reason: string,
): Promise<{ secret: string; expiresAt: number; passkeys: number }> {
  const letters = newSecret(deps.random, LENGTH);
  const expiresAt = deps.clock.now() + GOOD_FOR_MS;
  const row = { secretHash: hashToken(letters), expiresAt };
  await tx
    .insert(passwordResets)
    .values({ memberId, ...row })
    .onConflictDoUpdate({ target: passwordResets.memberId, set: row });
  await tx.update(members).set({ passwordHash: null }).where(eq(members.id, memberId));
  await dropRecoveryCodes(tx, memberId);
  await kickMember(tx, deps, memberId, reason);
  const { length: passkeys } = await dropPasskeys(tx, memberId);
  if (passkeys > 0) await tellSecurity(tx, deps, memberId, "removedPasskeys", { reason });
  return { secret: inGroups(letters, GROUP), expiresAt, passkeys };
}

const good = (memberId: number, secret: string, now: number) =>
  and(
    eq(passwordResets.memberId, memberId),
    eq(passwordResets.secretHash, hashToken(plainSecret(secret))),
    gt(passwordResets.expiresAt, now),
  );

/** Whether this secret lets the member choose a password. */
export async function isResetSecret(
  { db, clock }: Pick<Deps, "db" | "clock">,
  memberId: number,
  secret: string,
): Promise<boolean> {
  const [known] = await db.read
    .select({ id: passwordResets.memberId })
    .from(passwordResets)
    .where(good(memberId, secret, clock.now()));
  return known !== undefined;
}

/** Spends the secret for a password. Returns false, and does nothing, when it is spent or late. */
export async function choosePassword(
  tx: Tx,
  deps: Pick<Deps, "clock" | "settings">,
  memberId: number,
  { secret, passwordHash }: { secret: string; passwordHash: string },
): Promise<boolean> {
  const spent = await tx
    .delete(passwordResets)
    .where(good(memberId, secret, deps.clock.now()))
    .returning({ id: passwordResets.memberId });
  if (spent.length === 0) return false;
  await tx.update(members).set({ passwordHash }).where(eq(members.id, memberId));
  await startCooling(tx, deps, memberId);
  return true;
}
