import { at, int, primaryKey, table, text } from "#db/columns.ts";

/**
 * What each process has counted of a busy address in a window of time, for the others to add to their own
 * (server/http/shared-rates.ts). Nothing is lost with it.
 */
export const rateWindows = table(
  "rate_windows",
  {
    startedAt: at().notNull(),
    subject: text().notNull(),
    process: text().notNull(),
    requests: int().notNull(),
  },
  (t) => [primaryKey({ columns: [t.startedAt, t.subject, t.process] })],
);
