import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";

type EndedBy = "member" | "operator" | "newer";

/** Ends sessions for good and announces it, so that their sockets are closed wherever they are. */
export async function endSessions(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  ending: { id: number }[],
  endedBy: EndedBy,
  reason: string | null,
): Promise<number> {
  if (ending.length === 0) return 0;
  const ended = await tx
    .update(sessions)
    .set({ endedAt: deps.clock.now(), endedBy, endReason: reason })
    .where(
      and(
        inArray(
          sessions.id,
          ending.map(({ id }) => id),
        ),
        isNull(sessions.endedAt),
      ),
    )
    .returning({ id: sessions.id });
  const sessionIds = ended.map(({ id }) => id);
  if (ended.length) await deps.announce(tx, "session.ended", { sessionIds, kicked: endedBy !== "member", reason });
  return ended.length;
}

/** Ends every session of a member: a forced logout. Returns how many there were. */
export async function kickMember(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  memberId: number,
  reason: string | null,
): Promise<number> {
  const open = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), isNull(sessions.endedAt)));
  return endSessions(tx, deps, open, "operator", reason);
}

/** Ends every session of a member but the one that asks for it. Returns how many there were. */
export async function endOtherSessions(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<number> {
  const others = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), ne(sessions.id, sessionId), isNull(sessions.endedAt)));
  return endSessions(tx, deps, others, "member", null);
}
