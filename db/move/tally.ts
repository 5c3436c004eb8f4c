import type { Kind, MovedTable } from "./tables.ts";

/** How many rows, and for each column a sum of what it holds. */
export type Tally = Record<string, bigint>;

/** What is asked of a column: two engines answer alike when they hold alike. */
export type Sums = Record<Kind, (column: string) => string>;

/** One question for a whole table, counted and summed by the engine itself. */
export function tallyQuery({ name, columns, where }: MovedTable, sums: Sums): string {
  const asked = columns.map((column) => `${sums[column.kind](`"${column.name}"`)} as "${column.name}"`);
  return `select count(*) as "rows", ${asked.join(", ")} from "${name}" where ${where}`;
}

/** What is not alike, as sentences. */
export function compareTallies(table: MovedTable, from: Tally, to: Tally): string[] {
  return Object.keys(from)
    .filter((name) => from[name] !== to[name])
    .map((name) => `${table.name}: ${name} ${from[name]} there, ${to[name]} here`);
}
