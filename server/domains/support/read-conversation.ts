import { and, count, desc, eq, gt, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { conversations, supportMessages } from "#db/schema/support.ts";
import type { Deps } from "#server/app/deps.ts";
import type { SupportMessage } from "#shared/contract/support.ts";
import { localTexts, unpackText, type LocaleCode } from "#shared/locales.ts";
import { pageOf } from "#shared/paging.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";

type Row = typeof supportMessages.$inferSelect;

/** Only what operators write may be packed by language. */
export const messageView = ({ id, byOperator, text, picture, createdAt }: Row, locale: LocaleCode): SupportMessage => ({
  id: `svc_${id}`,
  from: byOperator ? "support" : "member",
  ...localTexts({ text: byOperator ? unpackText(text) : text }, locale),
  picture: picture === null ? 0 : 1,
  create_time: toSeconds(createdAt),
});

/** A page of a member's conversation, newest first. */
export async function readConversation(
  read: Tx,
  {
    memberId,
    locale,
    ...page
  }: { memberId: number; locale: LocaleCode; page?: number | undefined; limit?: number | undefined },
) {
  const { limit, offset } = pageOf(page);
  const isOwn = eq(supportMessages.memberId, memberId);
  const rows = await read
    .select()
    .from(supportMessages)
    .where(isOwn)
    .orderBy(desc(supportMessages.id))
    .limit(limit)
    .offset(offset);
  const [all] = await read.select({ count: count() }).from(supportMessages).where(isOwn);
  return {
    list: rows.map((row) => messageView(row, locale)),
    count: all!.count,
    unread: await countUnread(read, memberId),
  };
}

/** How many of the service's messages the member has not seen. */
export async function countUnread(read: Tx, memberId: number): Promise<number> {
  const [row] = await read
    .select({ count: count() })
    .from(conversations)
    .innerJoin(
      supportMessages,
      and(
        eq(supportMessages.memberId, conversations.memberId),
        eq(supportMessages.byOperator, true),
        gt(supportMessages.id, conversations.readTo),
      ),
    )
    .where(eq(conversations.memberId, memberId));
  return row!.count;
}

/** A message of this member's conversation, by its wire id. Another's is unknown. */
export async function needMessage(read: Tx, memberId: number, wireId: string): Promise<Row> {
  const id = Number(/^svc_(\d{1,15})$/.exec(wireId)?.[1] ?? 0);
  const isOwn = and(eq(supportMessages.id, id), eq(supportMessages.memberId, memberId));
  const [row] = await read.select().from(supportMessages).where(isOwn);
  if (!row) throw new Refusal("object.unknown");
  return row;
}

/** Notes up to which message the member has read, and tells their other devices. */
export async function markRead(
  tx: Tx,
  { announce }: Pick<Deps, "announce">,
  memberId: number,
  wireId: string,
): Promise<void> {
  const { id } = await needMessage(tx, memberId, wireId);
  const isBehind = and(eq(conversations.memberId, memberId), lt(conversations.readTo, id));
  const moved = await tx.update(conversations).set({ readTo: id }).where(isBehind).returning();
  if (moved.length > 0) await announce(tx, "support.changed", { memberId });
}
