import { sql, type SQL } from "drizzle-orm";

/** Binds the `:name` parameters of a text: a drizzle statement for either engine. Without values, a prepared one. */
export function named(text: string, values?: Record<string, number>): SQL {
  const pieces = text.split(/:([a-z]+)\b/);
  const bound = (name: string) => (values ? sql`${valueOf(values, name)}` : sql`${sql.placeholder(name)}`);
  return sql.join(pieces.map((piece, i) => (i % 2 ? bound(piece) : sql.raw(piece))));
}

/** The same for columns and their new values, for drizzle's `set`. */
export function namedColumns(columns: Record<string, string>, values?: Record<string, number>): Record<string, SQL> {
  const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(columns).map(([column, text]) => [camel(column), named(text, values)]));
}

function valueOf(values: Record<string, number>, name: string): number {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for :${name}`);
  return value;
}
