import { getTableColumns, sql, type Column, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "#db/db.ts";

/*
 * Many values travel as one parameter, a JSON array. So the text of a statement is the same for any number of them: it is
 * short to build, and stays prepared.
 */

/** Whether a column has one of these values: `inArray` for a list that is long, or seldom as long as before. */
export const isOneOf = (column: Column, values: readonly (number | string)[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

/** Rows of a table, less what `shared` says of all of them. */
export type Rows<T extends SQLiteTable, S> = readonly Omit<T["$inferInsert"], keyof S>[];

/** Begins an insert of many rows. Columns of bytes, wide integers and defaults that SQL makes are not supported. */
export function insertRows<T extends SQLiteTable, S extends Record<string, SQL> = {}>(
  tx: Tx,
  table: T,
  rows: Rows<T, S>,
  shared?: S,
) {
  const columns = Object.entries(getTableColumns(table));
  const values = rows.map((row: Record<string, unknown>) =>
    columns.map(([name, column]) => storedValue(column, row[name])),
  );
  const picked = columns.map(([name], place) => shared?.[name] ?? sql.raw(`value ->> ${place}`));
  // Without the condition, `on conflict` would be read as that of a join.
  return tx
    .insert(table)
    .select(sql`select ${sql.join(picked, sql`, `)} from json_each(${JSON.stringify(values)}) where true`);
}

/** A row's number is null here, and given by the database. */
function storedValue(column: Column, value: unknown): unknown {
  const given = value === undefined ? column.default : value;
  return given === undefined || given === null ? null : column.mapToDriverValue(given);
}

type Works<R extends unknown[]> = { [I in keyof R]: () => Promise<R[I]> };

/**
 * Works of a transaction that do not wait for each other, begun in their order. Statements that they ask for at once
 * travel to the writer in one message.
 */
export async function together<R extends unknown[]>(...works: Works<R>): Promise<R> {
  // No work may outlive the transaction, so all have ended before the first failure is thrown.
  const ended = await Promise.allSettled(works.map((work) => work()));
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  }) as R;
}
