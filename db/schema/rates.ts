import { at, int, primaryKey, table, text } from "#db/columns.ts";

/**
 * Each process's rate-limit counts of a busy address in a time window. The other processes add them to their own
 * (server/http/shared-rates.ts). Losing rows does no harm.
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
