import type { Kind, MovedTable } from "./tables.ts";

/** The number of rows, and a checksum for each column. */
export type Tally = Record<string, bigint>;

/** SQL for a column's checksum: equal in both engines for equal values. */
export type Sums = Record<Kind, (column: string) => string>;

/** One query for a whole table: the engine counts and sums. */
export function tallyQuery({ name, columns, where }: MovedTable, sums: Sums): string {
  const asked = columns.map((column) => `${sums[column.kind](`"${column.name}"`)} as "${column.name}"`);
  return `select count(*) as "rows", ${asked.join(", ")} from "${name}" where ${where}`;
}

/** The differences, as sentences. */
export function compareTallies(table: MovedTable, from: Tally, to: Tally): string[] {
  return Object.keys(from)
    .filter((name) => from[name] !== to[name])
    .map((name) => `${table.name}: ${name} ${from[name]} there, ${to[name]} here`);
}
