import { at, index, json, serial, table, text } from "#db/columns.ts";

/** What happened, for every server process to read in order; written in the effect's own transaction. */
export const outbox = table(
  "outbox",
  {
    id: serial(),
    topic: text().notNull(),
    payload: json<unknown>().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [index("outbox_created").on(t.createdAt)],
);
