import { at, index, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import { members } from "./member.ts";

/** A picture that a member uploaded. Nobody else may use it. An unused one is deleted after a day. */
export const uploads = table(
  "uploads",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    /** Root-relative; cannot be guessed. */
    path: text().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [uniqueIndex("uploads_path").on(t.path), index("uploads_member").on(t.memberId, t.id)],
);
