import { at, index, money, primaryKey, ref, table, text } from "#db/columns.ts";
import { members } from "./member.ts";

/** A limit's loosening that has not come into force yet. `value` null lifts it. */
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
