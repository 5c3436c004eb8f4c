import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { endSessions } from "./end-sessions.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * Opens a session and returns its token, which is stored nowhere (only its hash is). With `sso`, every call of the
 * session has to carry that single-sign-on token too.
 */
export async function openSession(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "announce" | "settings">,
  memberId: number,
  { ip, agent, sso }: { ip: string; agent: string; sso?: string },
): Promise<string> {
  if (deps.settings.get("single_session") === 1) {
    const others = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.memberId, memberId), isNull(sessions.endedAt)));
    await endSessions(tx, deps, others, "newer", null);
  }
  const token = newToken(deps.random);
  const now = deps.clock.now();
  const ssoHash = sso === undefined ? null : hashToken(sso);
  const row = { memberId, tokenHash: hashToken(token), ssoHash, createdAt: now, lastSeenAt: now, ip, agent };
  await tx.insert(sessions).values(row);
  return token;
}
