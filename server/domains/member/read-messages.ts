import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { messages } from "#db/schema/member.ts";
import type { Deps } from "#server/deps.ts";
import { formatMoney } from "#shared/format.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { fromDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";

/** What happened to a member's account, newest first, in the reader's language. */
export async function readMessages(
  read: Tx,
  { text, settings }: Pick<Deps, "text" | "settings">,
  query: { memberId: number; locale: LocaleCode; page?: number | undefined; limit?: number | undefined },
) {
  const { locale } = query;
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select()
    .from(messages)
    .where(eq(messages.memberId, query.memberId))
    .orderBy(desc(messages.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ id, kind, facts, createdAt }) => ({
    id: `msg_${id}`,
    kind,
    text: text(locale, `message.${kind}`, shown(facts, locale)),
    create_time: toSeconds(createdAt),
  }));

  /** An amount is kept as a decimal and written as its reader writes amounts. */
  function shown(facts: Record<string, string>, locale: LocaleCode): Record<string, string> {
    if (facts.money === undefined) return facts;
    return { ...facts, money: formatMoney(fromDecimal(facts.money), settings.get<string>("unit"), locale) };
  }
}
