import { at, rowId, table, text } from "#db/columns.ts";

/**
 * What operators did, or were refused: one row for each command that writes or tells a secret, in the transaction of its
 * first write. Rows are never changed or deleted.
 */
export const operatorActs = table("operator_acts", {
  id: rowId(),
  at: at().notNull(),
  /** The system's user, and the machine. */
  who: text().notNull(),
  host: text().notNull(),
  command: text().notNull(),
  /** Its other words: on what, and how. No command takes a secret as a word. */
  words: text().notNull(),
  reason: text(),
  /** `done`: what it wrote by then is committed. */
  outcome: text({ enum: ["done", "refused", "failed"] }).notNull(),
  /** Why it was refused, or failed. */
  why: text(),
});
