import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { attempts } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { readMember } from "./find-member.ts";
import type { Passwords } from "./passwords.ts";

/** So many wrong passcodes in a row, from any session, lock it for so long. */
const MOST_WRONG = 5;
const LOCKED_FOR_MS = 15 * MINUTE_MS;

/**
 * Returns when the pin is the member's. Throws `passcode.missing`, `passcode.locked` or `passcode.wrong`. It hashes
 * between transactions of its own, so call it before the transaction that it protects.
 */
export async function verifyPasscode(
  deps: Pick<Deps, "db" | "clock">,
  passwords: Pick<Passwords, "verify">,
  memberId: number,
  pin: string,
): Promise<void> {
  const { payPinHash } = await readMember(deps.db.read, memberId);
  if (payPinHash === null) throw new Refusal("passcode.missing");
  await deps.db.transact((tx) => countPin(tx, memberId, deps.clock.now()));
  if (!(await passwords.verify(payPinHash, pin))) throw new Refusal("passcode.wrong");
  await deps.db.transact((tx) => tx.delete(attempts).where(ofMember(memberId)));
}

const ofMember = (memberId: number) => and(eq(attempts.kind, "pin"), eq(attempts.subject, String(memberId)));

/** Counts an attempt as wrong before the pin is checked, so that parallel attempts cannot exceed the limit. */
async function countPin(tx: Tx, memberId: number, now: number): Promise<void> {
  const [known] = await tx.select().from(attempts).where(ofMember(memberId));
  const waitMs = (known?.blockedUntil ?? 0) - now;
  if (waitMs > 0) throw new Refusal("passcode.locked", { retryAfterS: Math.ceil(waitMs / SECOND_MS) });
  // After a lock, counting starts again.
  const before = known && known.blockedUntil === 0 ? known.failures : 0;
  const failures = before + 1;
  const blockedUntil = failures >= MOST_WRONG ? now + LOCKED_FOR_MS : 0;
  const row = { kind: "pin" as const, subject: String(memberId), failures, blockedUntil, lastAt: now };
  await tx
    .insert(attempts)
    .values(row)
    .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
}
