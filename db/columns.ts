import * as postgres from "./columns.postgres.ts";
import * as sqlite from "./columns.sqlite.ts";
import { readDialect } from "./dialect.ts";

export const dialect = readDialect();

// One cast buys one schema: both modules export the same names with the same JavaScript types, so all other code is
// typed for SQLite.
const columns = dialect === "postgres" ? (postgres as unknown as typeof sqlite) : sqlite;

export const {
  alias,
  at,
  bool,
  bytes,
  check,
  placeholder,
  index,
  int,
  json,
  money,
  primaryKey,
  ref,
  rowId,
  serial,
  sql,
  table,
  text,
  union,
  unionAll,
  uniqueIndex,
  wide,
} = columns;
