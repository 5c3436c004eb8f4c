import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { namePacked, type LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";

/** Refuses a locked member, at login and at all that is closed to them, with the operator's reason. */
export async function lockedRefusal(
  read: Tx,
  { text }: Pick<Deps, "text">,
  memberId: number,
  locale: LocaleCode,
): Promise<Refusal> {
  const [told] = await read
    .select({ facts: messages.facts })
    .from(messages)
    .where(and(eq(messages.memberId, memberId), eq(messages.kind, "security.locked")))
    .orderBy(desc(messages.id))
    .limit(1);
  const packed = told?.facts.reason;
  if (packed === undefined) return new Refusal("member.locked");
  const reason = namePacked(packed, locale);
  return new Refusal("member.locked", { text: text(locale, "refusal.lockedFor", { reason }) });
}
