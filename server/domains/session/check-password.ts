import type { Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { ofSession } from "#server/domains/account/hash-lanes.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { Refusal } from "#shared/refusal.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";

/** Checks the login password of a member who is logged in, and returns its hash. Attempts count together with logins. */
export async function checkPassword(
  { db, clock }: Pick<Deps, "db" | "clock">,
  passwords: Passwords,
  { memberId, ip, password }: { memberId: number; ip: string; password: string },
): Promise<string> {
  const { username, passwordHash } = await readMember(db.read, memberId);
  if (passwordHash === null) throw new Refusal("password.none");
  // The session shows that the member is here: strangers' guesses elsewhere do not count.
  const guess = { username, ip, isFamiliar: true };
  const counted = await db.transact((tx) => countAttempt(tx, guess, clock.now()));
  if (!(await passwords.verify(passwordHash, password, ofSession(memberId)))) throw new Refusal("password.wrong");
  await db.transact((tx) => forgiveAttempt(tx, guess, { counted, memberId, now: clock.now() }));
  return passwordHash;
}
