import { and, desc, eq, like } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { formatMoney } from "#shared/format.ts";
import { readPacked, type LocaleCode } from "#shared/locales.ts";
import { fromDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";

/** A member's messages, newest first, in the reader's language. */
export async function readMessages(
  read: Tx,
  { text, settings }: Pick<Deps, "text" | "settings">,
  query: {
    memberId: number;
    locale: LocaleCode;
    /** Only about the safety of the account. */
    about?: "security" | undefined;
    page?: number | undefined;
    limit?: number | undefined;
  },
) {
  const { locale } = query;
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(messages)
    .where(and(eq(messages.memberId, query.memberId), query.about && like(messages.kind, `${query.about}.%`)))
    .orderBy(desc(messages.id))
    .limit(limit)
    .offset(offset);
  return rows.map((row) => ({
    id: messageWireId(row.id),
    kind: row.kind,
    text: messageText({ text, settings }, row, locale),
    create_time: toSeconds(row.createdAt),
  }));
}

/** The wire's id of a message. */
export const messageWireId = (id: number): string => `msg_${id}`;

/** The text of a message, its amount and its reason in the reader's language. */
export function messageText(
  { text, settings }: Pick<Deps, "text" | "settings">,
  { kind, facts }: Pick<typeof messages.$inferSelect, "kind" | "facts">,
  locale: LocaleCode,
): string {
  const unit = () => settings.get<string>("unit");
  return text(locale, `message.${kind}`, {
    ...facts,
    ...(facts.money !== undefined && { money: formatMoney(fromDecimal(facts.money), unit(), locale) }),
    ...(facts.reason !== undefined && { reason: readPacked(facts.reason, locale) }),
  });
}
