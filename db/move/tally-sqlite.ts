import type Sqlite from "better-sqlite3";
import type { MovedTable } from "./tables.ts";
import { tallyQuery, type Sums, type Tally } from "./tally.ts";

/** Sums the two halves of a number apart: SQLite's sum fails beyond 64 bits, which many timestamps reach. */
const HALF = 32n;
const LOW = 2n ** HALF - 1n;
const sumOfHalves = (column: string) =>
  `coalesce(sum(${column} >> ${HALF}), 0) || ' ' || coalesce(sum(${column} & ${LOW}), 0)`;
const SUMS: Sums = {
  number: sumOfHalves,
  wide: sumOfHalves,
  boolean: (column) => `coalesce(sum(${column}), 0)`,
  text: (column) => `coalesce(sum(length(${column})), 0)`,
  bytes: (column) => `coalesce(sum(length(${column})), 0)`,
  json: (column) => `coalesce(sum(length(${column})), 0)`,
};

export function tallySqlite(raw: Sqlite.Database, table: MovedTable): Tally {
  const answer = raw.prepare<[], Record<string, unknown>>(tallyQuery(table, SUMS)).safeIntegers().get()!;
  return Object.fromEntries(Object.entries(answer).map(([name, sum]) => [name, whole(sum)]));
}

function whole(sum: unknown): bigint {
  const [high, low] = String(sum).split(" ").map(BigInt);
  return low === undefined ? high! : (high! << HALF) + low;
}
