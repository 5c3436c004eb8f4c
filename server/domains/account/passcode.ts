import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { attempts } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { readMember } from "./find-member.ts";
import { ofSession } from "./hash-lanes.ts";
import type { Passwords } from "./passwords.ts";
import { tellSecurity } from "./security-message.ts";
import { timeLeft } from "./time-left.ts";

/** So many wrong passcodes in a row, from any session, lock it: the first time so long, and each time twice as long. */
const MOST_WRONG = 5;
const LOCKED_FOR_MS = 15 * MINUTE_MS;
const LONGEST_MS = DAY_MS;
/** The member reads of so many wrong ones in a row, before they lock. Once for each row: only a right one ends it. */
const TOLD_AT = 3;

/**
 * Returns the hash in force when the pin is the member's. Throws `passcode.missing`, `passcode.locked` or
 * `passcode.wrong`. It hashes between transactions of its own, so call it before the transaction that it protects. The
 * member reads of wrong ones in their messages.
 */
export async function verifyPasscode(
  deps: Pick<Deps, "announce" | "clock" | "db">,
  passwords: Pick<Passwords, "renew" | "verify">,
  memberId: number,
  pin: string,
): Promise<string> {
  const { payPinHash } = await readMember(deps.db.read, memberId);
  if (payPinHash === null) throw new Refusal("passcode.missing");
  const { lockMs, failures } = await deps.db.transact((tx) => countPin(tx, memberId, deps.clock.now()));
  // A check that throws, as in a full lane of hashes, has told nothing: it does not count.
  const check = <T>(hash: () => Promise<T>) =>
    hash().catch(async (error: unknown) => {
      await deps.db.transact((tx) => takeBackPin(tx, memberId, failures));
      throw error;
    });
  if (!(await check(() => passwords.verify(payPinHash, pin, ofSession(memberId))))) {
    const facts = { minutes: String(lockMs / MINUTE_MS) };
    if (failures === TOLD_AT) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeFailed"));
    if (lockMs > 0) await deps.db.transact((tx) => tellSecurity(tx, deps, memberId, "passcodeLocked", facts));
    throw new Refusal("passcode.wrong", {
      figures: { tries_left: (MOST_WRONG - (failures % MOST_WRONG)) % MOST_WRONG },
    });
  }
  const renewed = await check(() => passwords.renew(payPinHash, pin, ofSession(memberId)));
  return deps.db.transact(async (tx) => {
    await tx.delete(attempts).where(ofMember(memberId));
    if (renewed === null) return payPinHash;
    const isSame = and(eq(members.id, memberId), eq(members.payPinHash, payPinHash));
    await tx.update(members).set({ payPinHash: renewed }).where(isSame);
    return renewed;
  });
}

/** Refuses what a passcode was to confirm that was changed or taken away since it was verified. */
export async function refuseReplaced(tx: Tx, memberId: number, verified: string): Promise<void> {
  if ((await readMember(tx, memberId)).payPinHash !== verified) throw new Refusal("passcode.wrong");
}

const ofMember = (memberId: number) => and(eq(attempts.kind, "pin"), eq(attempts.subject, String(memberId)));

/** How long this many wrong passcodes in a row lock it: 15 min, 30, 60… */
function lockAfter(failures: number): number {
  if (failures % MOST_WRONG !== 0) return 0;
  const doublings = Math.min(failures / MOST_WRONG - 1, 20);
  return Math.min(LOCKED_FOR_MS * 2 ** doublings, LONGEST_MS);
}

/**
 * Counts an attempt as wrong before the pin is checked, so that parallel attempts cannot exceed the limit. Returns for
 * how long it locks the passcode, and how many in a row it is, unless it proves right.
 */
async function countPin(tx: Tx, memberId: number, now: number): Promise<{ lockMs: number; failures: number }> {
  const [known] = await tx.select().from(attempts).where(ofMember(memberId));
  const waitMs = timeLeft(known?.blockedUntil ?? 0, now, LONGEST_MS);
  if (waitMs > 0) throw new Refusal("passcode.locked", { retryAfterS: Math.ceil(waitMs / SECOND_MS) });
  const failures = (known?.failures ?? 0) + 1;
  const lockMs = lockAfter(failures);
  const blockedUntil = lockMs > 0 ? now + lockMs : 0;
  const row = { kind: "pin" as const, subject: String(memberId), failures, blockedUntil, lastAt: now };
  await tx
    .insert(attempts)
    .values(row)
    .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
  return { lockMs, failures };
}

/** Takes back an attempt whose pin nobody could check, and its lock. What others counted in the meantime stays. */
async function takeBackPin(tx: Tx, memberId: number, failures: number): Promise<void> {
  const { blockedUntil } = attempts;
  await tx
    .update(attempts)
    .set({
      failures: sql`${attempts.failures} - 1`,
      blockedUntil: sql`case when ${attempts.failures} = ${failures} then 0 else ${blockedUntil} end`,
    })
    .where(and(ofMember(memberId), gt(attempts.failures, 0)));
}

/** Takes a member's passcode and its lock away, so that they set another one. Returns false when there is none. */
export async function resetPasscode(tx: Tx, memberId: number): Promise<boolean> {
  const reset = await tx
    .update(members)
    .set({ payPinHash: null })
    .where(and(eq(members.id, memberId), isNotNull(members.payPinHash)))
    .returning({ id: members.id });
  await tx.delete(attempts).where(ofMember(memberId));
  return reset.length > 0;
}
