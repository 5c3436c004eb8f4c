import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
import { needAnswer, type Proven } from "#server/domains/account/passkey-answer.ts";
import { needRelyingParty, readPasskeys } from "#server/domains/account/read-passkeys.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { MINUTE_MS, type Clock } from "#shared/time.ts";
import { checkPassword } from "./check-password.ts";

/** A proof of who one is, by logging in or since, is good for so long. */
const FRESH_MS = 5 * MINUTE_MS;

type Own = Pick<Caller, "sessionId">;

/** Until when the session's last proof is good. */
export async function readProvenUntil(read: Tx, { sessionId }: Own): Promise<number> {
  const [own] = await read.select({ provenAt: sessions.provenAt }).from(sessions).where(eq(sessions.id, sessionId));
  return own ? own.provenAt + FRESH_MS : 0;
}

/** Refuses a session without a fresh proof: its token may be in strange hands. */
export async function refuseUnproven(read: Tx, clock: Clock, own: Own): Promise<void> {
  const left = (await readProvenUntil(read, own)) - clock.now();
  // A clock that was set back makes no proof last longer.
  if (left <= 0 || left > FRESH_MS) throw new Refusal("proof.needed");
}

interface Given {
  caller: Own & Pick<Caller, "memberId">;
  ip: string;
  host: string | undefined;
  password?: string | undefined;
  passcode?: string | undefined;
  passkey?: string | undefined;
}

/**
 * Checks a password, a passcode or a passkey, one of the three. A passkey's answer is yet to be spent. Without any of
 * them, the member is asked for what they have.
 */
export async function checkProof(deps: Deps, passwords: Passwords, given: Given): Promise<Proven | null> {
  const { caller, ip, password, passcode, passkey, host } = given;
  const { memberId } = caller;
  if (passkey !== undefined) {
    const party = needRelyingParty(deps, host);
    return needAnswer(deps, { json: passkey, purpose: "prove", sessionId: caller.sessionId, memberId, party });
  }
  if (password !== undefined) await checkPassword(deps, passwords, { memberId, ip, password });
  else if (passcode !== undefined) await verifyPasscode(deps, passwords, memberId, passcode);
  else throw invalid({ [await readWay(deps.db.read, memberId)]: "required" });
  return null;
}

/** How a member proves who they are: by password, unless a passcode or a passkey is all they have. */
async function readWay(read: Tx, memberId: number): Promise<"password" | "passcode" | "passkey"> {
  const { passwordHash, payPinHash } = await readMember(read, memberId);
  if (passwordHash !== null) return "password";
  if (payPinHash !== null) return "passcode";
  return (await readPasskeys(read, memberId)).length > 0 ? "passkey" : "password";
}

/** Notes that the member has just proved who they are. */
export async function stampProof(tx: Tx, { clock }: Pick<Deps, "clock">, { sessionId }: Own): Promise<void> {
  const stamped = await tx
    .update(sessions)
    .set({ provenAt: clock.now() })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  if (stamped.length === 0) throw new Refusal("session.missing");
}
