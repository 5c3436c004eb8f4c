import type { Deps } from "#server/app/deps.ts";
import { findMember } from "#server/domains/account/find-member.ts";
import { Refusal } from "#shared/refusal.ts";
import { countAttempt, forgiveAttempt } from "./attempts.ts";
import { openSession } from "./open-session.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";

export interface Login {
  username: string;
  password: string;
  ip: string;
  agent: string;
}

/** Logs a member in. Unknown names and wrong passwords get the same answer in the same time. */
export async function logIn(deps: Deps, passwords: Passwords, login: Login) {
  const username = login.username.toLowerCase();
  const counted = await deps.db.transact((tx) => countAttempt(tx, username, login.ip, deps.clock.now()));
  const member = await findMember(deps.db.read, username);
  const matches = await passwords.verify(member?.passwordHash ?? null, login.password);
  if (!member || !matches) throw new Refusal("login.failed");
  return deps.db.transact(async (tx) => {
    await forgiveAttempt(tx, username, login.ip, counted);
    if (member.locked) return { locked: true as const };
    return { memberId: member.id, token: await openSession(tx, deps, member.id, login) };
  });
}
