import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, Deps, SettingsReader } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { IDLE_MS, oldestSession } from "./identify.ts";

/** The wire's id of a session. */
const sessionWireId = (id: number): string => `ses_${id}`;

/** Sessions that run. */
export const running = (settings: SettingsReader, now: number) =>
  and(
    isNull(sessions.endedAt),
    gt(sessions.lastSeenAt, now - IDLE_MS),
    gt(sessions.createdAt, oldestSession(settings, now)),
  );

interface SessionsQuery {
  caller: Pick<Caller, "memberId" | "sessionId">;
  ip: string;
  now: number;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A page of the member's running sessions, newest use first: the one that asks is in use right now. */
export async function listSessions(read: Tx, { settings }: Pick<Deps, "settings">, query: SessionsQuery) {
  const { caller, now } = query;
  const { limit, offset } = pageOf(query);
  const isCurrent = sql`${sessions.id} = ${caller.sessionId}`;
  const rows = await read
    .select()
    .from(sessions)
    .where(and(eq(sessions.memberId, caller.memberId), running(settings, now)))
    .orderBy(desc(isCurrent), desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ id, createdAt, lastSeenAt, ip, agent }) => {
    const current = id === caller.sessionId;
    return {
      id: sessionWireId(id),
      created: toSeconds(createdAt),
      last_seen: toSeconds(current ? now : lastSeenAt),
      ip: current ? query.ip : ip,
      agent,
      current: current ? (1 as const) : (0 as const),
    };
  });
}

/** The member's own running session. Another member's is `session.foreign`, and any other `object.unknown`. */
export async function findOwnSession(
  read: Tx,
  { clock, settings }: Pick<Deps, "clock" | "settings">,
  memberId: number,
  wireId: string,
): Promise<{ id: number }> {
  const [, number] = /^ses_([1-9]\d{0,14})$/.exec(wireId) ?? [];
  const isRunning = sql<boolean>`${running(settings, clock.now())}`.mapWith(Boolean);
  const [session] = number
    ? await read
        .select({ id: sessions.id, memberId: sessions.memberId, isRunning })
        .from(sessions)
        .where(eq(sessions.id, Number(number)))
    : [];
  if (session && session.memberId !== memberId) throw new Refusal("session.foreign");
  if (!session?.isRunning) throw new Refusal("object.unknown");
  return session;
}
