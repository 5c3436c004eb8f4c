import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { invites } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { refuseWeakPassword } from "#server/domains/account/weak-secrets.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { findMember } from "#server/domains/account/find-member.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { countSignUp, refuseGuesser } from "./attempts.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { fromUnits } from "#shared/money.ts";
import { openSession } from "./open-session.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";

export interface Registration {
  username: string;
  password: string;
  code: string;
  ip: string;
  agent: string;
}

const isUsable = or(isNull(invites.usesLeft), gt(invites.usesLeft, 0));
const usable = (code: string) => and(eq(invites.code, code), isUsable);

/**
 * Makes a member of somebody with an invite and logs them in. The invite, the member, their first points and the session
 * are one commit.
 */
export async function register(deps: Deps, passwords: Passwords, who: Registration) {
  const { db, clock } = deps;
  await refuseGuesser(deps, who.ip);
  refuseWeakPassword(deps.settings, { field: "password", ...who });
  const code = await findInvite(db.read, who.code);
  if (code === undefined) {
    // Counted only now: many people may register at once behind one address.
    await countSignUp(deps, "invite", who.ip);
    throw invalid({ code: "invite" });
  }
  if (await findMember(db.read, who.username)) {
    await countSignUp(deps, "taken", who.ip);
    throw new Refusal("username.taken");
  }
  await countSignUp(deps, "signup", who.ip);
  const passwordHash = await passwords.hash(who.password, { lane: "signup", client: clientKey(who.ip) });
  return db.transact(async (tx) => {
    const used = await tx
      .update(invites)
      .set({ usesLeft: sql`${invites.usesLeft} - 1` })
      .where(usable(code))
      .returning({ code: invites.code });
    if (used.length === 0) throw invalid({ code: "invite" });
    const memberId = await addMember(tx, { username: who.username, passwordHash }, clock.now());
    await giveWelcome(tx, deps, memberId);
    return { memberId, token: await openSession(tx, deps, memberId, who) };
  });
}

/** The points that the operator gives to every new member; money is given to nobody. */
async function giveWelcome(tx: Tx, deps: Deps, memberId: number): Promise<void> {
  const units = deps.settings.get<number>("welcome_points");
  if (units === 0 || deps.settings.get("unit") !== "point") return;
  const cause = `welcome:${memberId}`;
  await transfer(tx, deps, { code: "welcome", cause, memberId, account: "house:operator", amount: fromUnits(units) });
}

/** The usable invite that was typed; keyboards add spaces and change capitals. The one typed exactly comes first. */
async function findInvite(read: Tx, typed: string): Promise<string | undefined> {
  const code = typed.trim();
  const isAlike = eq(sql`lower(${invites.code})`, code.toLowerCase());
  const found = await read
    .select({ code: invites.code })
    .from(invites)
    .where(and(isAlike, isUsable))
    .orderBy(asc(invites.code));
  return found.find((invite) => invite.code === code)?.code ?? found[0]?.code;
}
