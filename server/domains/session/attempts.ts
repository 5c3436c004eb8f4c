import { and, eq, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { attempts } from "#db/schema/session.ts";
import { Refusal } from "#shared/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

/** How many failures in a row are free: an address may be shared by many people. */
const FREE = { name: 5, address: 50 } as const;
const FIRST_DELAY_MS = 15 * SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** The count resets after this long without a failure. */
const RESET_AFTER_MS = HOUR_MS;

type Kind = keyof typeof FREE;

/** 15 s, 30 s, 1 min… up to 15 min. */
function delayAfter(kind: Kind, failures: number): number {
  const beyond = failures - FREE[kind];
  return beyond < 0 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(beyond, 10));
}

interface Subject {
  kind: Kind;
  subject: string;
}

/**
 * Counts an attempt before its password is checked, so that parallel guesses do not slip through. Refuses it while the
 * name or the address must wait (exponential backoff). Without a name the address alone counts. Returns the address's
 * count, for forgiving.
 */
export async function countAttempt(tx: Tx, username: string | null, ip: string, now: number): Promise<number> {
  const subjects: Subject[] = [{ kind: "address", subject: ip }];
  if (username !== null) subjects.push({ kind: "name", subject: username.slice(0, 64) });
  const known = await tx
    .select()
    .from(attempts)
    .where(or(...subjects.map(({ kind, subject }) => and(eq(attempts.kind, kind), eq(attempts.subject, subject)))));
  const wait = Math.max(0, ...known.map(({ blockedUntil }) => blockedUntil - now));
  if (wait > 0) throw new Refusal("login.locked", { retryAfterS: Math.ceil(wait / SECOND_MS) });
  let ofAddress = 0;
  for (const { kind, subject } of subjects) {
    const before = known.find((row) => row.kind === kind);
    const isRecent = before && before.lastAt > now - RESET_AFTER_MS;
    const failures = (isRecent ? before.failures : 0) + 1;
    const row = { kind, subject, failures, blockedUntil: now + delayAfter(kind, failures), lastAt: now };
    await tx
      .insert(attempts)
      .values(row)
      .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
    if (kind === "address") ofAddress = failures;
  }
  return ofAddress;
}

/**
 * After a right password: resets the name's count, and takes this attempt and its delay off the address. A delay that
 * others caused in the meantime stays.
 */
export async function forgiveAttempt(tx: Tx, username: string | null, ip: string, counted: number): Promise<void> {
  if (username !== null)
    await tx.delete(attempts).where(and(eq(attempts.kind, "name"), eq(attempts.subject, username.slice(0, 64))));
  const ofAddress = and(eq(attempts.kind, "address"), eq(attempts.subject, ip));
  const [address] = await tx.select().from(attempts).where(ofAddress);
  if (!address) return;
  const failures = Math.max(0, address.failures - 1);
  const blockedUntil = address.failures === counted ? 0 : address.blockedUntil;
  await tx.update(attempts).set({ failures, blockedUntil }).where(ofAddress);
}
