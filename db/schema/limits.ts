import { at, index, money, primaryKey, ref, table, text } from "#db/columns.ts";
import { members } from "./member.ts";

/** A pending increase of a member's limit. A null `value` removes the limit. */
export const limitChanges = table(
  "limit_changes",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    name: text().notNull(),
    value: money(),
    dueAt: at().notNull(),
  },
  (t) => [primaryKey({ columns: [t.memberId, t.name] }), index("limit_changes_due").on(t.dueAt)],
);
