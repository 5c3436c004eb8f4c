import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { tellSecurity } from "#server/domains/account/security-message.ts";
import { endSessions } from "./end-sessions.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * Opens a session and returns its token, which is stored nowhere (only its hash is). With `sso`, every call of the
 * session has to carry that single-sign-on token too. The caller asks in the same transaction whether the member is
 * locked: an operator who locks them, or erases them, ends the sessions that are open by then.
 */
export async function openSession(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "announce" | "settings" | "concerns">,
  memberId: number,
  { ip, agent, sso, isKnown }: { ip: string; agent: string; sso?: string; isKnown?: boolean | undefined },
): Promise<string> {
  if (deps.settings.get("single_session") === 1) {
    const others = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.memberId, memberId), isNull(sessions.endedAt)));
    await endSessions(tx, deps, others, "newer", null);
  }
  deps.concerns(memberId);
  if (await isNewDevice(tx, memberId, { agent, isKnown })) await tellSecurity(tx, deps, memberId, "newDevice", { ip });
  const token = newToken(deps.random);
  const now = deps.clock.now();
  const ssoHash = sso === undefined ? null : hashToken(sso);
  const row = { memberId, tokenHash: hashToken(token), ssoHash, ip, agent };
  await tx.insert(sessions).values({ ...row, createdAt: now, lastSeenAt: now, provenAt: now });
  return token;
}

/**
 * Whether the member has logged in before, and never with such a device. Where it is not certain whether it is known, its
 * browser tells.
 */
async function isNewDevice(
  tx: Tx,
  memberId: number,
  { agent, isKnown }: { agent: string; isKnown: boolean | undefined },
): Promise<boolean> {
  if (isKnown === true) return false;
  const ofMember = eq(sessions.memberId, memberId);
  const [before] = await tx.select({ id: sessions.id }).from(sessions).where(ofMember).limit(1);
  if (!before) return false;
  if (isKnown === false) return true;
  const [same] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(ofMember, eq(sessions.agent, agent)))
    .limit(1);
  return !same;
}
