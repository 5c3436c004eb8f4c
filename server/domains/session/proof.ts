import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { verifyPasscode } from "#server/domains/account/passcode.ts";
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

/** Checks a password or a passcode, one of the two. Without either, the member is asked for what they have. */
export async function checkProof(
  deps: Deps,
  passwords: Passwords,
  given: { memberId: number; ip: string; password?: string | undefined; passcode?: string | undefined },
): Promise<void> {
  const { memberId, ip, password, passcode } = given;
  if (password !== undefined) await checkPassword(deps, passwords, { memberId, ip, password });
  else if (passcode !== undefined) await verifyPasscode(deps, passwords, memberId, passcode);
  else throw invalid({ [await readWay(deps.db.read, memberId)]: "required" });
}

/** How a member proves who they are: by password, unless a passcode is all they have. */
async function readWay(read: Tx, memberId: number): Promise<"password" | "passcode"> {
  const { passwordHash, payPinHash } = await readMember(read, memberId);
  return passwordHash === null && payPinHash !== null ? "passcode" : "password";
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
