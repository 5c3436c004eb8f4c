import { at, index, int, json, ref, serial, table, text, uniqueIndex } from "#db/columns.ts";
import type { PushKind } from "#shared/contract/push.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { members } from "./member.ts";

/** Where a session's browser takes Web Push messages, and what about. It ends with its session. */
export const pushSubscriptions = table(
  "push_subscriptions",
  {
    sessionId: ref().primaryKey(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** The push service's address for this browser: whoever knows it may send there. */
    endpoint: text().notNull(),
    /** The browser's public key and secret, base64url (RFC 8291). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    locale: text().$type<LocaleCode>().notNull(),
    kinds: json<PushKind[]>().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("push_subscriptions_endpoint").on(t.endpoint), index("push_subscriptions_member").on(t.memberId)],
);

/**
 * The queue of Web Push messages. A row is deleted as it is claimed, so each is sent once at most. One without a session is
 * for everybody whom it concerns, and is replaced by a row for each.
 */
export const pushMessages = table(
  "push_messages",
  {
    id: serial(),
    kind: text().$type<PushKind>().notNull(),
    /** The row that it is about: a round, a message, a notice or a video, by the kind. */
    about: ref().notNull(),
    sessionId: ref(),
    memberId: ref(),
    /** The last session for which a row was made. */
    spreadTo: ref().notNull().default(0),
    tries: int().notNull().default(0),
    dueAt: at().notNull(),
    expiresAt: at().notNull(),
  },
  (t) => [index("push_messages_due").on(t.dueAt)],
);
