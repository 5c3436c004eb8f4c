import { at, index, json, ref, serial, table, text } from "#db/columns.ts";

/** What happened, for every server process to read in order; written in the effect's own transaction. */
export const outbox = table(
  "outbox",
  {
    id: serial(),
    topic: text().notNull(),
    payload: json<unknown>().notNull(),
    createdAt: at().notNull(),
    /** The transaction that wrote it, where several may be under way at once; the database fills it in. */
    transaction: ref().notNull().default(0),
  },
  (t) => [index("outbox_created").on(t.createdAt)],
);
