import { eq } from "drizzle-orm";
import { placeholder } from "#db/columns.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { members } from "#db/schema/member.ts";
import { sessions } from "#db/schema/session.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { lockedRefusal } from "./refuse-locked.ts";

const ofCaller = prepared((read) =>
  read
    .select({ endedBy: sessions.endedBy, endReason: sessions.endReason, locked: members.locked })
    .from(sessions)
    .innerJoin(members, eq(members.id, sessions.memberId))
    .where(eq(sessions.id, placeholder("session")))
    .prepare(),
);

type Ended = Pick<typeof sessions.$inferSelect, "endedBy" | "endReason">;

/** What an ended session is answered: where others ended it, with their reason. */
export function endedRefusal({ endedBy, endReason }: Ended): Refusal {
  if (endedBy === "member") return new Refusal("session.missing");
  return new Refusal("session.kicked", endReason ? { text: endReason } : {});
}

/**
 * Refuses, in the transaction that writes, a caller whose session was ended or who was locked since the call was let in:
 * to prepare a write, and to wait for its turn, may take long.
 */
export async function refuseOut(
  tx: Tx,
  deps: Pick<Deps, "text">,
  { whileLocked }: Pick<AnyEndpoint, "path" | "whileLocked">,
  { caller, locale }: { caller: Pick<Caller, "memberId" | "sessionId">; locale: LocaleCode },
): Promise<void> {
  const [own] = await ofCaller(tx).execute({ session: caller.sessionId });
  if (!own) throw new Refusal("session.missing");
  if (own.endedBy !== null) throw endedRefusal(own);
  if (own.locked && !whileLocked) throw await lockedRefusal(tx, deps, caller.memberId, locale);
}
