import { and, desc, eq, getTableColumns, gte, like, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members, messages } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { amountText } from "#server/domains/ledger/unit.ts";
import type { MessageTopic } from "#shared/contract/member.ts";
import { localTexts, namePacked, readPacked, unpackText, type LocaleCode } from "#shared/locales.ts";
import { fromDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { Refusal } from "#shared/refusal.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";

/** A member's messages, newest first, in the reader's language. */
export async function readMessages(
  read: Tx,
  { text, settings }: Pick<Deps, "text" | "settings">,
  query: {
    memberId: number;
    locale: LocaleCode;
    /** Only those about this. */
    about?: MessageTopic | undefined;
    page?: number | undefined;
    limit?: number | undefined;
    /** A period in seconds: from the first on, and before the second. */
    from?: number | undefined;
    to?: number | undefined;
  },
) {
  const { locale, about, from, to } = query;
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select({ ...getTableColumns(messages), readTo: members.messagesReadTo })
    .from(messages)
    .innerJoin(members, eq(members.id, messages.memberId))
    .where(
      and(
        eq(messages.memberId, query.memberId),
        about && like(messages.kind, `${about}.%`),
        from === undefined ? undefined : gte(messages.createdAt, from * SECOND_MS),
        to === undefined ? undefined : lt(messages.createdAt, to * SECOND_MS),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(limit)
    .offset(offset);
  return rows.map((row) => ({
    id: messageWireId(row.id),
    kind: row.kind,
    text: messageText({ text, settings }, row, readPacked(row.facts.reason ?? "", locale), locale),
    ...localTexts({ reason: unpackText(row.facts.reason ?? "") }, locale),
    record: row.facts.record ?? "",
    create_time: toSeconds(row.createdAt),
    unread: row.id > row.readTo ? (1 as const) : (0 as const),
  }));
}

/**
 * Notes up to which of their messages the member has read, and tells their other devices. Throws `object.unknown` for a
 * message that is not theirs.
 */
export async function markRead(
  tx: Tx,
  { announce }: Pick<Deps, "announce">,
  memberId: number,
  wireId: string,
): Promise<void> {
  const id = Number(/^msg_(\d{1,15})$/.exec(wireId)?.[1] ?? 0);
  const isOwn = and(eq(messages.id, id), eq(messages.memberId, memberId));
  const [row] = await tx.select({ id: messages.id }).from(messages).where(isOwn);
  if (!row) throw new Refusal("object.unknown");
  const isBehind = and(eq(members.id, memberId), lt(members.messagesReadTo, id));
  const moved = await tx.update(members).set({ messagesReadTo: id }).where(isBehind).returning({ id: members.id });
  if (moved.length > 0) await announce(tx, "messages.read", { memberId, messageId: id });
}

/** The wire's id of a message. */
export const messageWireId = (id: number): string => `msg_${id}`;

type MessageFacts = Pick<typeof messages.$inferSelect, "kind" | "facts">;

/** A whole message for a reader. A reason in another language says in which. */
export const wholeMessage = (
  deps: Pick<Deps, "text" | "settings">,
  message: MessageFacts,
  locale: LocaleCode,
): string => messageText(deps, message, namePacked(message.facts.reason ?? "", locale), locale);

/** The text of a message, its amount in the reader's language, around this reason. */
function messageText(
  { text, settings }: Pick<Deps, "text" | "settings">,
  { kind, facts }: MessageFacts,
  reason: string,
  locale: LocaleCode,
): string {
  const unit = () => settings.get<string>("unit");
  return text(locale, `message.${kind}`, {
    ...facts,
    ...(facts.money !== undefined && { money: amountText(text, fromDecimal(facts.money), unit(), locale) }),
    reason: facts.reason === undefined ? text(locale, "message.noReason") : reason,
  });
}
