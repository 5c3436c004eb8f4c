import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { startCooling } from "#server/domains/account/cooling.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { ofSession } from "#server/domains/account/hash-lanes.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { refuseWeakPasscode } from "#server/domains/account/weak-secrets.ts";
import { Refusal, switchedOff } from "#shared/refusal.ts";

/** A hashed passcode, and the hash it replaces. */
interface PreparedPin {
  hash: string;
  before: string | null;
}

/** Hashes a member's first passcode. Refuses it when there is one. */
export async function prepareFirstPin(
  { db, settings }: Pick<Deps, "db" | "settings">,
  passwords: Passwords,
  memberId: number,
  pin: string,
): Promise<PreparedPin> {
  refuseWeakPasscode(settings, "paypassword", pin);
  const { payPinHash } = await readMember(db.read, memberId);
  if (payPinHash !== null) throw new Refusal("passcode.set");
  return { hash: await passwords.hash(pin, ofSession(memberId)), before: null };
}

/** Checks the passcode in force and hashes the next, where the house lets members change it. */
export async function prepareNextPin(
  deps: Deps,
  passwords: Passwords,
  memberId: number,
  { pin, next }: { pin: string; next: string },
): Promise<PreparedPin> {
  refuseWeakPasscode(deps.settings, "paypassword", next);
  if (deps.settings.get("edit_paypwd") !== 1) throw switchedOff("passcode");
  const before = await verifyPasscode(deps, passwords, memberId, pin);
  return { hash: await passwords.hash(next, ofSession(memberId)), before };
}

/** Stores the passcode, unless it was changed in the meantime. A changed one begins the cooling time. */
export async function writePin(
  tx: Tx,
  deps: Pick<Deps, "announce" | "clock" | "settings">,
  memberId: number,
  { hash, before }: PreparedPin,
): Promise<void> {
  const unchanged = before === null ? isNull(members.payPinHash) : eq(members.payPinHash, before);
  const updated = await tx
    .update(members)
    .set({ payPinHash: hash })
    .where(and(eq(members.id, memberId), unchanged))
    .returning({ id: members.id });
  if (updated.length === 0) throw new Refusal(before === null ? "passcode.set" : "passcode.wrong");
  if (before !== null) await startCooling(tx, deps, memberId);
  await tellSecurity(tx, deps, memberId, before === null ? "passcodeSet" : "passcodeChanged");
}
