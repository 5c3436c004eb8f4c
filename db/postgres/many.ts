import { and, eq, inArray, or, sql, type Column, type SQL } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "#db/db.ts";
import type { Rows } from "#db/sqlite/many.ts";

/** Whether a column has one of these values. */
export const isOneOf = (column: Column, values: readonly (number | string)[]): SQL => inArray(column, values);

/** The same in a prepared query: the values are given by name, as `listed` writes them. */
export const isOneOfNamed = (column: Column, name: string): SQL => sql`${column} = any(${sql.placeholder(name)})`;

export const listed = (values: readonly (number | string)[]): unknown => values;

/** Whether several columns together have one of these rows of values. */
export const areOneOf = (columns: readonly Column[], rows: readonly (readonly (number | string)[])[]): SQL =>
  or(...rows.map((row) => and(...columns.map((column, place) => eq(column, row[place]))))) ?? sql`false`;

/** Begins an insert of many rows. */
export const insertRows = <T extends SQLiteTable, S extends Record<string, SQL> = {}>(
  tx: Tx,
  table: T,
  rows: Rows<T, S>,
  shared?: S,
) => tx.insert(table).values(rows.map((row) => ({ ...row, ...shared }) as unknown as SQLiteInsertValue<T>));

/** The same, with what `end` adds to it. */
export const insertOf =
  <T extends SQLiteTable, R, S extends Record<string, SQL> = {}>(
    table: T,
    end: (insert: ReturnType<typeof insertRows<T>>) => PromiseLike<R>,
    shared?: S,
  ) =>
  async (tx: Tx, rows: Rows<T, S>): Promise<R> =>
    end(insertRows(tx, table, rows, shared));

/** Works of a transaction, one after another: a connection runs one statement at a time. */
export async function together(...works: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const done: unknown[] = [];
  for (const work of works) done.push(await work());
  return done;
}
