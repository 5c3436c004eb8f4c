import { sql } from "drizzle-orm";
import { at, bool, index, ref, rowId, table, text } from "#db/columns.ts";
import { members } from "./member.ts";

/** A member's conversation with the customer service; a row from its first message on. */
export const conversations = table(
  "conversations",
  {
    memberId: ref()
      .primaryKey()
      .references(() => members.id),
    /** The newest message of the service that the member has seen; 0 before the first. */
    readTo: ref().notNull().default(0),
    /** When the oldest message came that nobody has answered; null while none waits. */
    waitingSince: at(),
  },
  (t) => [index("conversations_waiting").on(t.waitingSince)],
);

/** What a member and the customer service wrote each other. It is never changed. */
export const supportMessages = table(
  "support_messages",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    byOperator: bool().notNull(),
    /** Empty beside a picture. */
    text: text().notNull(),
    /** The picture's name in the storage. Only the member and the operator get it. */
    picture: text(),
    createdAt: at().notNull(),
  },
  (t) => [
    index("support_messages_member").on(t.memberId, t.id),
    index("support_messages_created").on(t.createdAt),
    // Finds whether a file is shown.
    index("support_messages_picture")
      .on(t.picture)
      .where(sql`${t.picture} is not null`),
  ],
);
