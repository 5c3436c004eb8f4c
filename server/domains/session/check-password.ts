import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { ofSession } from "#server/domains/account/hash-lanes.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { Refusal } from "#shared/refusal.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { checkCounted } from "./judge.ts";
import { refuseGuess } from "./name-lock.ts";

interface Entered {
  caller: Pick<Caller, "memberId" | "sessionId">;
  ip: string;
  password: string;
}

/**
 * Checks the login password of a member who is logged in, and returns its hash. Attempts count together with logins, and
 * by session.
 */
export async function checkPassword(
  deps: Pick<Deps, "announce" | "clock" | "db">,
  passwords: Passwords,
  { caller: { memberId, sessionId }, ip, password }: Entered,
): Promise<string> {
  const { db, clock } = deps;
  const { username, passwordHash } = await readMember(db.read, memberId);
  if (passwordHash === null) throw new Refusal("password.none");
  // The session shows that the member is here: strangers' guesses elsewhere do not count.
  const guess = { username, ip, isFamiliar: true, sessionId };
  const counted = await db.transact((tx) => countAttempt(tx, guess, clock.now()));
  const check = <T>(hash: () => Promise<T>) => checkCounted(deps, guess, counted, hash);
  if (!(await check(() => passwords.verify(passwordHash, password, ofSession(memberId)))))
    throw await refuseGuess(deps, { id: memberId }, counted, "password.wrong");
  const renewed = await check(() => passwords.renew(passwordHash, password, ofSession(memberId)));
  await db.transact(async (tx) => {
    await forgiveAttempt(tx, guess, { counted, memberId, now: clock.now() });
    if (renewed !== null) await replaceHash(tx, memberId, { before: passwordHash, hash: renewed });
  });
  return renewed ?? passwordHash;
}

/** Stores a password's hash in the place of another. Returns false, and does nothing, where that one is gone. */
export async function replaceHash(
  tx: Tx,
  memberId: number,
  { before, hash }: { before: string; hash: string },
): Promise<boolean> {
  const replaced = await tx
    .update(members)
    .set({ passwordHash: hash })
    .where(and(eq(members.id, memberId), eq(members.passwordHash, before)))
    .returning({ id: members.id });
  return replaced.length > 0;
}
