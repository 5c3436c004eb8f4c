import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { refuseReplaced, verifyPasscode } from "#server/domains/account/passcode.ts";
import { needAnswer, spendOrRefuse, type Proven } from "#server/domains/account/passkey-answer.ts";
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

/** What a member proved who they are with: of a passcode the hash in force, of a passkey the answer to spend. */
type Proof = { passkey: Proven } | { passcode: string } | "password";

/**
 * Checks a password, a passcode or a passkey, one of the three. Without any of them, the member is asked for what they
 * have.
 */
export async function checkProof(deps: Deps, passwords: Passwords, given: Given): Promise<Proof> {
  const { caller, ip, password, passcode, passkey, host } = given;
  const { memberId } = caller;
  if (passkey !== undefined) {
    const party = needRelyingParty(deps, host);
    const own = { sessionId: caller.sessionId, memberId, party };
    return { passkey: await needAnswer(deps, { json: passkey, purpose: "prove", ...own }) };
  }
  if (passcode !== undefined && password === undefined)
    return { passcode: await verifyPasscode(deps, passwords, memberId, passcode) };
  if (password === undefined) throw invalid({ [await readWay(deps.db.read, memberId)]: "required" });
  await checkPassword(deps, passwords, { caller, ip, password });
  return "password";
}

/** Refuses, in the transaction of its effect, a proof that is none any more. Whatever replaces a password ends sessions. */
export async function spendProof(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { memberId }: Pick<Caller, "memberId">,
  proof: Proof,
): Promise<void> {
  if (proof === "password") return;
  if ("passkey" in proof) await spendOrRefuse(tx, deps, proof.passkey);
  else await refuseReplaced(tx, memberId, proof.passcode);
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
  await tx.update(sessions).set({ provenAt: clock.now() }).where(eq(sessions.id, sessionId));
}
