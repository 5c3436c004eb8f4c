import { getTableColumns, sql, type Column, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";

/*
 * Many values travel as one parameter, a JSON array. So the text of a statement is the same for any number of them: it is
 * short to build, and stays prepared.
 */

/** Whether a column has one of these values: `inArray` for a list that is long, or seldom as long as before. */
export const isOneOf = (column: Column, values: readonly (number | string)[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

/** The same in a prepared query: the values are given by name, as `listed` writes them. */
export const isOneOfNamed = (column: Column, name: string): SQL =>
  sql`${column} in (select value from json_each(${sql.placeholder(name)}))`;

export const listed = (values: readonly (number | string)[]): unknown => JSON.stringify(values);

/** Whether several columns together have one of these rows of values. */
export function areOneOf(columns: readonly Column[], rows: readonly (readonly (number | string)[])[]): SQL {
  const picked = columns.map((_, place) => sql.raw(`value ->> ${place}`));
  const row = sql.join(picked, sql`, `);
  return sql`(${sql.join([...columns], sql`, `)}) in (select ${row} from json_each(${JSON.stringify(rows)}))`;
}

/** Rows of a table, less what `shared` says of all of them. */
export type Rows<T extends SQLiteTable, S> = readonly Omit<T["$inferInsert"], keyof S>[];

/** Begins an insert of many rows. Columns of bytes, wide integers and defaults that SQL makes are not supported. */
export function insertRows<T extends SQLiteTable, S extends Record<string, SQL> = {}>(
  tx: Tx,
  table: T,
  rows: Rows<T, S>,
  shared?: S,
) {
  return insertListed(tx, table, valuesOf(Object.entries(getTableColumns(table)), rows), shared);
}

function insertListed<T extends SQLiteTable>(tx: Tx, table: T, values: unknown, shared?: Record<string, SQL>) {
  const columns = Object.keys(getTableColumns(table));
  const picked = columns.map((name, place) => shared?.[name] ?? sql.raw(`value ->> ${place}`));
  // Without the condition, `on conflict` would be read as that of a join.
  return tx.insert(table).select(sql`select ${sql.join(picked, sql`, `)} from json_each(${values}) where true`);
}

const valuesOf = (columns: readonly [string, Column][], rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) => columns.map(([name, column]) => storedValue(column, (row as Record<string, unknown>)[name]))),
  );

/** An insert of many rows as `insertRows` begins it, and what `end` adds to it. */
type Insert<T extends SQLiteTable> = ReturnType<typeof insertRows<T>>;
type Query<R> = PromiseLike<R> & { prepare(): { execute(given: Record<string, unknown>): Promise<unknown> } };

/** An insert of many rows that is built once for each connection. */
export function insertOf<T extends SQLiteTable, R, S extends Record<string, SQL> = {}>(
  table: T,
  end: (insert: Insert<T>) => Query<R>,
  shared?: S,
): (tx: Tx, rows: Rows<T, S>) => Promise<R> {
  const columns = Object.entries(getTableColumns(table));
  const insert = prepared((tx) => end(insertListed(tx, table, sql.placeholder("rows"), shared)).prepare());
  return (tx, rows) => insert(tx).execute({ rows: valuesOf(columns, rows) }) as Promise<R>;
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
