import { inArray, type Column, type SQL } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "#db/db.ts";
import type { Rows } from "#db/sqlite/many.ts";

/** Whether a column has one of these values. */
export const isOneOf = (column: Column, values: readonly (number | string)[]): SQL => inArray(column, values);

/** Begins an insert of many rows. */
export const insertRows = <T extends SQLiteTable, S extends Record<string, SQL> = {}>(
  tx: Tx,
  table: T,
  rows: Rows<T, S>,
  shared?: S,
) => tx.insert(table).values(rows.map((row) => ({ ...row, ...shared }) as unknown as SQLiteInsertValue<T>));

/** Works of a transaction, one after another: a connection runs one statement at a time. */
export async function together(...works: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const done: unknown[] = [];
  for (const work of works) done.push(await work());
  return done;
}
