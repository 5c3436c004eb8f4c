import { sql, type SQL } from "drizzle-orm";

/** Text with :names, and their values, as a drizzle statement of either engine. */
export function named(text: string, values: Record<string, number>): SQL {
  const pieces = text.split(/:([a-z]+)\b/);
  return sql.join(pieces.map((piece, i) => (i % 2 ? sql`${valueOf(values, piece)}` : sql.raw(piece))));
}

function valueOf(values: Record<string, number>, name: string): number {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for :${name}`);
  return value;
}
